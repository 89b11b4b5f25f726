// Memory beyond runs: `treadle/memory`.
export { createMemoryStore, type MemoryStoreOptions } from "./create-memory-store.js";
export type {
  MemoryOperations,
  MemoryStore,
  NamespaceInput,
  NewMessage,
  ProcessorReport,
  RecalledFact,
  RecallRequest,
  UntwinnedStore,
} from "./memory-store.js";
export type { WorkingMemory } from "./working-memory.js";
export type { MemoryTarget } from "./target.js";
export type { EffectTwin, EffectTwins } from "./effect.js";
export type { HistoryMessage, MessageHistory } from "./message-history.js";
export type { MemoryProcessor } from "./processors/processor.js";
export { summarizer, type SummarizerOptions } from "./processors/summarizer.js";
export type { ThreadChoice } from "./processors/threads.js";
export { tokenLimiter, type TokenLimiterOptions } from "./processors/token-limiter.js";
export { ttlCollector } from "./processors/ttl-collector.js";
export type {
  EmbeddingModelLike,
  MemoryFact,
  MemoryMessage,
  MemoryNamespace,
  MemoryProcessorConfig,
  MemoryThread,
  MessageHistoryConfig,
  SemanticRecallConfig,
  TaskMemoryConfig,
  TaskRecallConfig,
  TaskRememberConfig,
  WorkingMemoryConfig,
} from "../model/memory.js";
