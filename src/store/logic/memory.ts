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
  NearestSearch,
  NewVector,
  ThreadFilter,
  VectorPage,
} from "../memory-records.js";
import * as facts from "../repositories/memory-facts.js";
import * as threads from "../repositories/memory-threads.js";
import type { Statement, Work } from "../sql-port.js";
import type { Answered, When } from "./answer.js";
import type { Database } from "./database.js";
import { runAll } from "./statements.js";
import { erase, read, transaction, unlessMissed, write } from "./work.js";

/** Memory in the tables of a database. */
export class StoredMemory<W extends When> implements MemoryRecords {
  readonly #database: Database<W>;

  constructor(database: Database<W>) {
    this.#database = database;
  }

  getFact(address: FactAddress, nowMs: number): Answered<W, MemoryFact | undefined> {
    return this.#database.read(facts.getFact(address, nowMs));
  }

  setFact(write: FactWrite): Answered<W, MemoryFact> {
    return this.#database.run(transaction(() => setFact(write)));
  }

  deleteFact(address: FactAddress, nowMs: number): Answered<W, boolean> {
    return this.#database.run(erase(() => deleteFact(address, nowMs)));
  }

  listFacts(filter: FactFilter): Answered<W, MemoryFact[]> {
    return this.#database.read(facts.listFacts(filter));
  }

  deleteExpiredFacts(nowMs: number): Answered<W, number> {
    return this.#database.run(deleteExpiredFacts(nowMs));
  }

  search(query: FactSearch): Answered<W, FoundFact[]> {
    return this.#database.run(this.#database.dialect.searchWords(query));
  }

  pageVectors(page: VectorPage): Answered<W, FactVector[]> {
    return this.#database.run(this.#database.dialect.pageVectors(page));
  }

  nearestVectors(search: NearestSearch): Answered<W, FactVector[]> | FactVector[] {
    const { dialect } = this.#database;
    return dialect.nearestVectors === undefined ? [] : this.#database.run(dialect.nearestVectors(search));
  }

  keepVectors(vectors: readonly NewVector[]): Answered<W, void> {
    return this.#database.run(write(vectors.map(facts.keepVector)));
  }

  createThread(thread: MemoryThread): Answered<W, boolean> {
    return this.#database.read(threads.insertThread(thread));
  }

  getThread(threadId: string): Answered<W, MemoryThread | undefined> {
    return this.#database.read(threads.getThread(threadId));
  }

  listThreads(filter: ThreadFilter): Answered<W, MemoryThread[]> {
    return this.#database.read(threads.listThreads(filter));
  }

  deleteThread(threadId: string): Answered<W, boolean> {
    return this.#database.run(erase(() => deleteThread(threadId)));
  }

  saveMessage(message: MemoryMessage): Answered<W, void> {
    return this.#database.run(write(threads.saveMessage(message)));
  }

  listMessages(filter: MessageFilter): Answered<W, MemoryMessage[]> {
    return this.#database.read(threads.listMessages(filter));
  }

  countMessages(threadId: string): Answered<W, number> {
    return this.#database.read(threads.countMessages(threadId));
  }

  replaceMessages(threadId: string, ids: readonly string[], by?: MemoryMessage): Answered<W, boolean> {
    const statements = (onMiss: () => Error) => replaceMessages({ threadId, ids, by }, onMiss);
    return this.#database.run(unlessMissed((onMiss) => erase(() => runAll(statements(onMiss)))));
  }
}

function* setFact(write: FactWrite): Work<MemoryFact> {
  yield* runAll(facts.writeFact(write));
  // One that is over at once is none, and yet was set.
  return (yield* read(facts.getFact(write, Number.NEGATIVE_INFINITY))) as MemoryFact;
}

function* deleteFact(address: FactAddress, nowMs: number): Work<boolean> {
  const fact = yield* read(facts.getFact(address, nowMs));
  yield* runAll(facts.deleteFact(address));
  return fact !== undefined;
}

function* deleteExpiredFacts(nowMs: number): Work<number> {
  if ((yield* read(facts.countExpiredFacts(nowMs))) === 0) return 0;
  return yield* erase(function* () {
    const count = yield* read(facts.countExpiredFacts(nowMs));
    yield* runAll(facts.deleteExpiredFacts(nowMs));
    return count;
  });
}

function* deleteThread(threadId: string): Work<boolean> {
  const thread = yield* read(threads.getThread(threadId));
  yield* runAll(threads.deleteThread(threadId));
  return thread !== undefined;
}

interface Replacement {
  threadId: string;
  ids: readonly string[];
  by: MemoryMessage | undefined;
}

function replaceMessages({ threadId, ids, by }: Replacement, onMiss: () => Error): Statement[] {
  const gone = by === undefined ? ids : ids.slice(0, -1);
  const statements: Statement[] = [];
  if (gone.length > 0) statements.push(threads.deleteMessages(threadId, gone, onMiss));
  if (by !== undefined) statements.push(threads.replaceMessage(ids.at(-1) as string, by, onMiss));
  return statements;
}
