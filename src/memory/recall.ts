import { serviceMetrics } from "../metrics/catalog.js";
import { DEFAULT_TOP_K, type SemanticRecallConfig } from "../model/memory.js";
import { recallProblem } from "../model/recall-problem.js";
import { refuseOption } from "../options/check-options.js";
import type { FoundFact, MemoryRecords } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import { recallByMeaning } from "./recall-by-meaning.js";
import { monotonicMs } from "../util/monotonic-ms.js";

export interface Recall extends Omit<SemanticRecallConfig, "namespace"> {
  /** As `namespaceText` spells it. */
  namespace: string;
  query: string;
  signal?: AbortSignal;
}

/**
 * The facts of a namespace that fit a question best, best first: by their words, or with an `embedder` by meaning.
 * @throws INVALID_INPUT, MEMORY_EMBEDDING_FAILED, STORAGE_ERROR for a fact that is damaged
 */
export async function recallFacts(
  records: MemoryRecords,
  clock: Pick<Clock, "now">,
  recall: Recall,
): Promise<FoundFact[]> {
  checkRecall(recall);
  const startedAt = monotonicMs();
  const found = await search(records, clock, recall);
  serviceMetrics.memoryRecallQueries.add();
  serviceMetrics.memoryFactReads.add(found.length);
  serviceMetrics.memoryRecallDurationMs.observe(monotonicMs() - startedAt);
  return found;
}

async function search(
  records: MemoryRecords,
  clock: Pick<Clock, "now">,
  { namespace, query, topK = DEFAULT_TOP_K, similarityThreshold, embedder, signal }: Recall,
): Promise<FoundFact[]> {
  if (query.trim() === "") return [];
  if (embedder === undefined) {
    return records.search({ namespace, text: query, limit: topK, nowMs: clock.now() });
  }
  return recallByMeaning(records, {
    namespace,
    query,
    limit: topK,
    embedder,
    threshold: similarityThreshold ?? -1,
    now: () => clock.now(),
    ...(signal !== undefined && { signal }),
  });
}

/** @throws INVALID_INPUT */
function checkRecall({ topK, similarityThreshold, embedder }: SemanticRecallConfig): void {
  const problem = recallProblem({ topK, similarityThreshold, embedder });
  if (problem !== undefined) refuseOption(problem.option, problem.expected, problem.received);
}
