import type { ValueSchema } from "./row-schema.js";

export const MEMORY_KINDS = ["workflow", "agent", "user", "global"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** Whose memory it is. */
export interface MemoryNamespace {
  /** The kind of owner. */
  kind: MemoryKind;
  /** Which of them: the name of a workflow or agent, the id of a user. */
  id: string;
}

/** One thing that is remembered. */
export interface MemoryFact {
  /** `kind:id`, the id percent-escaped. */
  namespace: string;
  key: string;
  /** The value as JSON text. */
  valueJson: string;
  /** Of the schema that the value was checked by. */
  schemaSig?: string;
  /** Epoch ms. */
  createdAtMs: number;
  /** Epoch ms. */
  updatedAtMs: number;
  /** Milliseconds after `updatedAtMs` from which on it is not read any more; absent: for ever. */
  ttlMs?: number;
}

/** A conversation. */
export interface MemoryThread {
  /** Tells it from every other conversation. */
  threadId: string;
  /** `kind:id`, the id percent-escaped. */
  namespace: string;
  /** As given when it was created. */
  title?: string;
  /** Data that its maker keeps with it, as JSON text. */
  metadataJson?: string;
  /** Epoch ms. */
  createdAtMs: number;
  /** Epoch ms of its newest message, or of its creation. */
  updatedAtMs: number;
}

/** A message of a conversation. */
export interface MemoryMessage {
  /** Tells it from every other message. */
  id: string;
  /** The conversation that it is part of. */
  threadId: string;
  /** Such as `user`, `assistant` or `system`. */
  role: string;
  /** JSON of a text, or of the parts of a message in the form of the AI SDK. */
  contentJson: string;
  /** The run that said it. */
  runId?: string;
  /** The task that said it. */
  nodeId?: string;
  /** Epoch ms. */
  createdAtMs: number;
}

/** Facts of one shape. */
export interface WorkingMemoryConfig<Value = unknown> {
  /** Checks what is written and what is read. @default anything */
  schema?: ValueSchema<Value>;
  /** Where the facts are kept; as text, `kind:id`. */
  namespace: string | MemoryNamespace;
  /** Milliseconds after its last write for which a fact can be read. @default for ever */
  ttlMs?: number;
}

/**
 * An embedding model of the AI SDK. Its call parameters are declared in a way that the type of a method
 * cannot accept; it is only handed to the SDK.
 */
export interface EmbeddingModelLike {
  readonly provider: string;
  readonly modelId: string;
  doEmbed(options: never): PromiseLike<unknown>;
}

/** How facts are searched for. */
export interface SemanticRecallConfig {
  /** Facts that are given back at most. @default 5 */
  topK?: number;
  /** Where they are searched for. @default the namespace of the task; a store has none */
  namespace?: string | MemoryNamespace;
  /** Least cosine of the angle between question and fact, from -1 to 1; only with `embedder`. @default any */
  similarityThreshold?: number;
  /** Compares meanings by vectors. @default words are compared */
  embedder?: EmbeddingModelLike;
}

/** How much of a conversation is read. */
export interface MessageHistoryConfig {
  /** The newest messages, so many at most. @default 20 */
  lastMessages?: number;
  /** Which conversation. Required. */
  threadId?: string;
}

/** A processor that tidies a store up. */
export interface MemoryProcessorConfig {
  /** Names of the processors that run, in this order. @default all that the store has, in theirs */
  processors?: string[];
}

/** Searching for facts before an agent is asked. */
export interface TaskRecallConfig extends SemanticRecallConfig {
  /** The text to search for. @default the prompt */
  query?: string;
}

/** Where the row of a finished task is kept. */
export interface TaskRememberConfig {
  /** @default the namespace of the task */
  namespace?: string | MemoryNamespace;
  /** @default the id of the task */
  key?: string;
  /** Milliseconds for which the fact can be read. @default for ever */
  ttlMs?: number;
}

/** A task's recall and remember rules. */
export interface TaskMemoryConfig {
  /** @default `workflow:` and the name of the workflow */
  namespace?: string | MemoryNamespace;
  /** Puts the facts that fit best into the prompt. */
  recall?: TaskRecallConfig;
  /** Keeps the finished row as a fact, in the commit that finishes the task. */
  remember?: TaskRememberConfig;
  /**
   * The conversation that the agent continues with, and that question and answer are added to: the agent is given
   * what was said as `messages`, and the question as `prompt`.
   */
  threadId?: string;
  /** Messages of it that the agent is given, the newest. @default 20 */
  lastMessages?: number;
}

/** Facts that a search gives back unless it says how many. */
export const DEFAULT_TOP_K = 5;
/** Most facts that a search gives back. */
export const MOST_RECALLED = 50;
/** Messages of a conversation that are read by default. */
export const DEFAULT_LAST_MESSAGES = 20;
