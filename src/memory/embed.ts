import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import type { EmbeddingModelLike } from "../model/memory.js";

/** The name that vectors are kept under: those of another model mean nothing to this one. */
export function embedderName({ provider, modelId }: EmbeddingModelLike): string {
  return `${provider}:${modelId}`;
}

/**
 * A vector for each text. The SDK is loaded by the first call, and asks in portions that the model takes; who calls
 * decides whether to try again.
 * @throws MEMORY_EMBEDDING_FAILED; the reason of `signal`
 */
export async function embedTexts(
  embedder: EmbeddingModelLike,
  values: string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const { embedMany } = await import("ai");
  let embeddings: unknown;
  try {
    const model = embedder as unknown as Parameters<typeof embedMany>[0]["model"];
    ({ embeddings } = await embedMany({
      model,
      values,
      maxRetries: 0,
      ...(signal !== undefined && { abortSignal: signal }),
    }));
  } catch (thrown) {
    signal?.throwIfAborted();
    const cause = ensureError(thrown);
    throw failed(embedder, cause.message, cause);
  }
  const problem = problemWith(embeddings, values.length);
  if (problem !== undefined) throw failed(embedder, problem);
  return (embeddings as number[][]).map((embedding) => Float32Array.from(embedding));
}

function failed(embedder: EmbeddingModelLike, why: string, cause?: Error): ServiceError {
  return new ServiceError(
    "MEMORY_EMBEDDING_FAILED",
    `The embedding model ${embedderName(embedder)} has made no vectors: ${why}`,
    { details: { embedder: embedderName(embedder) }, ...(cause !== undefined && { cause }) },
  );
}

/** The reason why an answer is not a vector for each text; undefined when it is. */
function problemWith(embeddings: unknown, count: number): string | undefined {
  const vectors: unknown[] = Array.isArray(embeddings) ? embeddings : [];
  if (vectors.length !== count) return `it was asked for ${count} vectors and gave ${vectors.length}.`;
  if (!vectors.every(isVector)) return "it gave something else than a list of finite numbers.";
  const length = vectors[0]?.length;
  return vectors.every((vector) => vector.length === length)
    ? undefined
    : "it gave vectors of different lengths.";
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((at) => Number.isFinite(at));
}
