import type { MemoryFact, MemoryMessage, MemoryThread } from "../../model/memory.js";
import type {
  FactAddress,
  FactFilter,
  FactSearch,
  FactVector,
  FactWrite,
  FoundFact,
  MemoryRecords,
  MessageFilter,
  NewVector,
  ThreadFilter,
  VectorPage,
} from "../memory-records.js";
import * as facts from "../repositories/memory-facts.js";
import * as threads from "../repositories/memory-threads.js";
import type { Query, Statement } from "../sql-port.js";
import type { SqliteConnection } from "./connection.js";
import { searchWords } from "./memory-search.js";

/** Memory in SQLite tables; the file is opened at the first call. */
export class SqliteMemory implements MemoryRecords {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  getFact(address: FactAddress, nowMs: number): MemoryFact | undefined {
    return this.#ask(facts.getFact(address, nowMs));
  }

  setFact(write: FactWrite): MemoryFact {
    const { port } = this.#connection;
    return port.exclusive(() => {
      port.runAll(facts.writeFact(write));
      // One that is over at once is none, and yet was set.
      return this.#ask(facts.getFact(write, Number.NEGATIVE_INFINITY)) as MemoryFact;
    });
  }

  deleteFact(address: FactAddress, nowMs: number): boolean {
    return this.#erasing(() => {
      const wasThere = this.getFact(address, nowMs) !== undefined;
      this.#connection.port.runAll(facts.deleteFact(address));
      return wasThere;
    });
  }

  listFacts(filter: FactFilter): MemoryFact[] {
    return this.#ask(facts.listFacts(filter));
  }

  deleteExpiredFacts(nowMs: number): number {
    if (this.#ask(facts.countExpiredFacts(nowMs)) === 0) return 0;
    return this.#erasing(() => {
      const count = this.#ask(facts.countExpiredFacts(nowMs));
      this.#connection.port.runAll(facts.deleteExpiredFacts(nowMs));
      return count;
    });
  }

  search(query: FactSearch): FoundFact[] {
    return searchWords(this.#connection.port, query);
  }

  pageVectors(page: VectorPage): FactVector[] {
    return this.#ask(facts.pageVectors(page));
  }

  keepVectors(vectors: readonly NewVector[]): void {
    this.#connection.port.write(vectors.map(facts.keepVector));
  }

  createThread(thread: MemoryThread): boolean {
    return this.#ask(threads.insertThread(thread));
  }

  getThread(threadId: string): MemoryThread | undefined {
    return this.#ask(threads.getThread(threadId));
  }

  listThreads(filter: ThreadFilter): MemoryThread[] {
    return this.#ask(threads.listThreads(filter));
  }

  deleteThread(threadId: string): boolean {
    return this.#erasing(() => {
      const wasThere = this.getThread(threadId) !== undefined;
      this.#connection.port.runAll(threads.deleteThread(threadId));
      return wasThere;
    });
  }

  saveMessage(message: MemoryMessage): void {
    this.#connection.port.write(threads.saveMessage(message));
  }

  listMessages(filter: MessageFilter): MemoryMessage[] {
    return this.#ask(threads.listMessages(filter));
  }

  countMessages(threadId: string): number {
    return this.#ask(threads.countMessages(threadId));
  }

  replaceMessages(threadId: string, ids: readonly string[], by?: MemoryMessage): boolean {
    const missed = new Error("somebody was faster");
    const onMiss = () => missed;
    const gone = by === undefined ? ids : ids.slice(0, -1);
    const statements: Statement[] = [];
    if (gone.length > 0) statements.push(threads.deleteMessages(threadId, gone, onMiss));
    if (by !== undefined) statements.push(threads.replaceMessage(ids.at(-1) as string, by, onMiss));
    try {
      this.#erasing(() => this.#connection.port.runAll(statements));
      return true;
    } catch (error) {
      if (error === missed) return false;
      throw error;
    }
  }

  #ask<T>({ sql, params, read }: Query<T>): T {
    return read(this.#connection.port.all(sql, params));
  }

  /** One transaction; what it deletes is overwritten in the file. */
  #erasing<T>(deletion: () => T): T {
    return this.#connection.erasing(() => this.#connection.port.exclusive(deletion));
  }
}
