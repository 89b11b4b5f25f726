import type { MemoryProcessor } from "./processor.js";

/** Deletes the facts whose time is over. They are not read before either; it frees the space. */
export function ttlCollector(): MemoryProcessor {
  return { name: "ttl-collector", process: (store) => store.deleteExpiredFacts() };
}
