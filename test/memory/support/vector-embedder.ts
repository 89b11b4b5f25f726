import type { EmbeddingModelLike } from "../../../src/model/memory.js";

/** An embedding model that gives a text which ends with a number the vector of that number. */
export function vectorEmbedder(vectors: readonly (readonly number[])[]): EmbeddingModelLike {
  const embedder: EmbeddingModelLike & Record<string, unknown> = {
    specificationVersion: "v3",
    provider: "test",
    modelId: "numbers",
    maxEmbeddingsPerCall: 100,
    supportsParallelCalls: false,
    async doEmbed({ values }: { values: string[] }) {
      return { embeddings: values.map((text) => vectors[Number(/\d+$/.exec(text)?.[0])]), warnings: [] };
    },
  };
  return embedder;
}
