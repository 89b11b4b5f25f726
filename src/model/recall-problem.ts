import { MOST_RECALLED } from "./memory.js";

/** The problem with a search for facts; undefined when there is none. */
export function recallProblem(config: {
  topK?: unknown;
  similarityThreshold?: unknown;
  embedder?: unknown;
}): { option: string; expected: string; received: unknown } | undefined {
  const { topK, similarityThreshold: least, embedder } = config;
  if (
    topK !== undefined &&
    !(Number.isInteger(topK) && (topK as number) > 0 && (topK as number) <= MOST_RECALLED)
  ) {
    return { option: "topK", expected: `a whole number from 1 to ${MOST_RECALLED}`, received: topK };
  }
  if (embedder !== undefined && typeof (embedder as { doEmbed?: unknown } | null)?.doEmbed !== "function") {
    return { option: "embedder", expected: "an embedding model of the AI SDK", received: embedder };
  }
  if (least === undefined) return undefined;
  if (embedder === undefined) {
    const expected = "none without an `embedder`: words have no cosine";
    return { option: "similarityThreshold", expected, received: least };
  }
  const isCosine = typeof least === "number" && least >= -1 && least <= 1;
  return isCosine
    ? undefined
    : { option: "similarityThreshold", expected: "a number from -1 to 1", received: least };
}
