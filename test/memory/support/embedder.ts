import type { EmbeddingModelLike } from "../../../src/model/memory.js";

export interface TestEmbedder extends EmbeddingModelLike {
  /** The texts of each call. */
  readonly calls: string[][];
  /** What the next call does instead. */
  next?: (() => unknown) | undefined;
}

/** An embedding model whose vectors count how often each of a few meanings comes up. */
export function testEmbedder(
  meanings: readonly RegExp[] = [/tea|coffee|drink/gi, /train|bus|travel/gi, /refund|money/gi],
): TestEmbedder {
  const calls: string[][] = [];
  const embedder: TestEmbedder & Record<string, unknown> = {
    specificationVersion: "v3",
    provider: "test",
    modelId: "meanings",
    maxEmbeddingsPerCall: 50,
    supportsParallelCalls: false,
    calls,
    next: undefined,
    async doEmbed({ values }: { values: string[] }) {
      calls.push(values);
      const { next } = embedder;
      embedder.next = undefined;
      if (next !== undefined) return next();
      const embeddings = values.map((text) => meanings.map((meaning) => text.match(meaning)?.length ?? 0));
      return { embeddings, warnings: [] };
    },
  };
  return embedder;
}
