import type { MemoryFact, MemoryMessage, MemoryThread } from "../model/memory.js";
import type { Awaitable } from "../util/awaitable.js";

/**
 * Memory beyond runs. Rows belong to no run and no lease; a task's own are written with the
 * commit that finishes it (see MemoryWrite). Namespaces come as `namespaceText` spells them. A fact whose time is
 * over is as good as gone from that millisecond on, whether or not it has been deleted.
 */
export interface MemoryRecords {
  getFact(address: FactAddress, nowMs: number): Awaitable<MemoryFact | undefined>;
  /** Replaces the one of its address. @returns the fact as it is stored */
  setFact(write: FactWrite): Awaitable<MemoryFact>;
  /** False when there was none that could be read. Its bytes are overwritten in the file. */
  deleteFact(address: FactAddress, nowMs: number): Awaitable<boolean>;
  /** By namespace and key. */
  listFacts(filter: FactFilter): Awaitable<MemoryFact[]>;
  /** Deletes the facts whose time is over. @returns how many there were */
  deleteExpiredFacts(nowMs: number): Awaitable<number>;
  /** Facts that have words of the text, best first. */
  search(query: FactSearch): Awaitable<FoundFact[]>;
  /**
   * A page of the facts of a namespace with what is known of their meaning, by key: of those that `nearestVectors`
   * does not compare.
   */
  pageVectors(page: VectorPage): Awaitable<FactVector[]>;
  /**
   * Where the database itself compares vectors: more than `limit` facts, among which are the nearest to the question.
   * None where it does not.
   */
  nearestVectors(search: NearestSearch): Awaitable<FactVector[]>;
  /** A vector of a fact that has changed since it was read is not kept. */
  keepVectors(vectors: readonly NewVector[]): Awaitable<void>;

  /** False when the id is taken. */
  createThread(thread: MemoryThread): Awaitable<boolean>;
  getThread(threadId: string): Awaitable<MemoryThread | undefined>;
  /** The one that was written to last comes first. */
  listThreads(filter: ThreadFilter): Awaitable<MemoryThread[]>;
  /** With its messages. False when there is none. */
  deleteThread(threadId: string): Awaitable<boolean>;
  /** Replaces the message of its id. @throws MEMORY_THREAD_NOT_FOUND; INVALID_INPUT for the id of a message of another thread */
  saveMessage(message: MemoryMessage): Awaitable<void>;
  /** The newest, oldest first. */
  listMessages(filter: MessageFilter): Awaitable<MemoryMessage[]>;
  countMessages(threadId: string): Awaitable<number>;
  /**
   * Takes messages of a thread away, all or none, and puts one in the place of the last, if one is given.
   * False when one of them is gone already: another process tidies up.
   */
  replaceMessages(threadId: string, ids: readonly string[], by?: MemoryMessage): Awaitable<boolean>;
}

export interface FactAddress {
  readonly namespace: string;
  readonly key: string;
}

export interface FactWrite extends FactAddress {
  readonly valueJson: string;
  readonly schemaSig?: string;
  readonly nowMs: number;
  /** Absent: for ever. */
  readonly ttlMs?: number;
}

export interface FactFilter {
  /** Absent: all. */
  readonly namespace?: string;
  /** Absent: all. */
  readonly key?: string;
  /** Key or value has this text, in upper or lower case. Absent: all. */
  readonly text?: string;
  readonly nowMs: number;
  readonly limit?: number;
  /** Only what comes after it. */
  readonly after?: FactAddress;
}

export interface FactSearch {
  readonly namespace: string;
  readonly text: string;
  readonly limit: number;
  readonly nowMs: number;
}

export interface FoundFact {
  readonly fact: MemoryFact;
  /** The larger the better; comparable within one search only. */
  readonly score: number;
}

export interface VectorPage {
  readonly namespace: string;
  readonly model: string;
  readonly nowMs: number;
  readonly limit: number;
  /** Numbers of a vector. */
  readonly length: number;
  /** Key of the last fact of the page before. */
  readonly afterKey?: string;
}

export interface NearestSearch {
  readonly namespace: string;
  readonly model: string;
  readonly nowMs: number;
  readonly limit: number;
  readonly question: Float32Array;
}

/** A fact, and its vector where it has one of its present value. */
export interface FactVector {
  readonly factNo: number;
  readonly revision: number;
  readonly fact: MemoryFact;
  readonly vector?: Float32Array;
}

export interface NewVector {
  readonly factNo: number;
  /** Of the fact that the vector was made of. */
  readonly revision: number;
  readonly model: string;
  readonly vector: Float32Array;
}

export interface ThreadFilter {
  readonly namespace?: string;
  readonly limit: number;
}

export interface MessageFilter {
  readonly threadId: string;
  /** Absent: all. */
  readonly limit?: number;
  /** Ids of messages that are left out. */
  readonly without?: readonly string[];
}

/** The memory write of a task, part of the commit that finishes it. */
export interface MemoryWrite {
  readonly fact?: Omit<FactWrite, "nowMs">;
  /** The thread is made if it is not there. */
  readonly said?: {
    readonly threadId: string;
    readonly namespace: string;
    readonly messages: readonly Omit<MemoryMessage, "threadId" | "createdAtMs">[];
  };
}
