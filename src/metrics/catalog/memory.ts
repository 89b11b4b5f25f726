import { FAST_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Histogram } from "../histogram.js";

/** Memory that outlives runs. */
export const memoryMetrics = {
  memoryFactReads: new Counter("service_memory_fact_reads", "Facts read from memory."),
  memoryFactWrites: new Counter("service_memory_fact_writes", "Facts written to memory."),
  memoryRecallQueries: new Counter("service_memory_recall_queries", "Searches in memory."),
  memoryMessageSaves: new Counter("service_memory_message_saves", "Messages saved to memory."),
  memoryRecallDurationMs: new Histogram(
    "service_memory_recall_duration_ms",
    "Milliseconds of one search in memory.",
    { bounds: FAST_MS },
  ),
};
