import type {
  MemoryFact,
  MemoryMessage,
  MemoryNamespace,
  MemoryProcessorConfig,
  MemoryThread,
  MessageHistoryConfig,
  SemanticRecallConfig,
  WorkingMemoryConfig,
} from "../model/memory.js";
import type { EffectTwins } from "./effect.js";
import type { MessageHistory } from "./message-history.js";
import type { WorkingMemory } from "./working-memory.js";

/** `kind:id` with the id percent-escaped, or the two apart. */
export type NamespaceInput = string | MemoryNamespace;

/** A message to be saved. */
export interface NewMessage extends Omit<MemoryMessage, "id" | "createdAtMs"> {
  /** A message of this id is replaced. @default a new one */
  id?: string;
  /** Epoch ms. @default now */
  createdAtMs?: number;
}

/** A fact that a search has found. */
export interface RecalledFact extends MemoryFact {
  /** The larger the better. With an `embedder` the cosine; else comparable within one search only. */
  score: number;
}

/** The work of one processor. */
export interface ProcessorReport {
  name: string;
  /** Facts or messages that it has taken away. */
  removed: number;
}

/** The query of a search, and how it is made. */
export interface RecallRequest extends SemanticRecallConfig {
  namespace: NamespaceInput;
  /** Any text. */
  query: string;
  /** Ends the calls of the embedding model. */
  signal?: AbortSignal;
}

/**
 * The operations on memory. A fact whose `ttlMs` is over is gone for every one of them from that millisecond on.
 * All throw INVALID_INPUT for arguments that are not as described, and what the database throws.
 */
export interface MemoryOperations {
  /** Undefined when there is none. */
  getFact(namespace: NamespaceInput, key: string): Promise<MemoryFact | undefined>;
  /**
   * Replaces the fact of that key, if there is one.
   * @param value plain JSON, at most 1 MB of it
   * @param ttlMs milliseconds for which it can be read; default: for ever
   */
  setFact(namespace: NamespaceInput, key: string, value: unknown, ttlMs?: number): Promise<MemoryFact>;
  /** False when there was none. Its bytes are overwritten in the database's file. */
  deleteFact(namespace: NamespaceInput, key: string): Promise<boolean>;
  /** By key. */
  listFacts(namespace: NamespaceInput): Promise<MemoryFact[]>;
  /**
   * The facts that fit a question best, best first.
   * @throws MEMORY_EMBEDDING_FAILED
   */
  recall(request: RecallRequest): Promise<RecalledFact[]>;
  /** A new conversation, without messages. */
  createThread(namespace: NamespaceInput, title?: string): Promise<MemoryThread>;
  /** Undefined when there is none. */
  getThread(threadId: string): Promise<MemoryThread | undefined>;
  /** The one that was written to last comes first; at most 1000. */
  listThreads(namespace?: NamespaceInput): Promise<MemoryThread[]>;
  /** With its messages. False when there is none. */
  deleteThread(threadId: string): Promise<boolean>;
  /** @throws MEMORY_THREAD_NOT_FOUND */
  saveMessage(message: NewMessage): Promise<MemoryMessage>;
  /** Oldest first. @param limit only the newest, so many; default: all */
  listMessages(threadId: string, limit?: number): Promise<MemoryMessage[]>;
  /** 0 for a thread that there is not. */
  countMessages(threadId: string): Promise<number>;
  /**
   * Takes messages of a thread away, all of them or none, and puts one in the place of the last, if one is given.
   * False when one of them is not there.
   */
  replaceMessages(
    threadId: string,
    ids: readonly string[],
    by?: Pick<NewMessage, "role" | "contentJson">,
  ): Promise<boolean>;
  /** @returns how many there were */
  deleteExpiredFacts(): Promise<number>;
  /** Lets the processors of the store tidy up, and says what each has done. */
  runProcessors(config?: MemoryProcessorConfig): Promise<ProcessorReport[]>;
}

/** A store as it is without the twins of its operations. */
export interface UntwinnedStore extends MemoryOperations {
  /** Facts of one namespace that a schema checks. */
  workingMemory<Value = unknown>(config: WorkingMemoryConfig<Value>): WorkingMemory<Value>;
  /** A conversation as agents take it, for one that is asked outside of a workflow. `config` names the thread. */
  messageHistory(config: MessageHistoryConfig): MessageHistory;
  /** Closes the database if it was opened for this store, by its path. */
  close(): Promise<void>;
}

/** Memory of a database. Each operation has a twin with the suffix `Effect`. */
export interface MemoryStore extends UntwinnedStore, EffectTwins<MemoryOperations> {}
