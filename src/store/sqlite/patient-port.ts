import { setTimeout as pause } from "node:timers/promises";
import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import type { Awaitable } from "../../util/awaitable.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import type { Durability, Query, SqlPort, SqlRow, SqlValue, Statement, Work } from "../sql-port.js";
import { isReading, type SqlitePort } from "./port.js";
import type { BusyPolicy } from "./retry-busy.js";

/** How long a write may hold the thread for a lock that another process has, milliseconds. */
const IN_THREAD_MS = 20;

/** Pauses between two attempts at a lock, milliseconds: each twice as long as the one before. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * A port that answers at once while no other process keeps the database locked. Where one does, a write waits
 * without the thread, and those that come meanwhile wait behind it; reads do not.
 */
export class PatientPort implements SqlPort {
  readonly #db: BetterSqlite3.Database;
  readonly #port: SqlitePort;
  readonly #policy: BusyPolicy;
  /** Whether SQLite itself waits for a short time only, as it is to where a write can wait without the thread. */
  #waitsBriefly = false;
  /** Ends with the last of the writes that wait. */
  #last: Promise<void> | undefined;

  /** @param port one that does not try again by itself */
  constructor(db: BetterSqlite3.Database, port: SqlitePort, policy: BusyPolicy) {
    this.#db = db;
    this.#port = port;
    this.#policy = policy;
  }

  all(sql: string, params: readonly SqlValue[]): Awaitable<SqlRow[]> {
    const ask = () => this.#port.all(sql, params);
    return isReading(sql) ? this.#read(ask) : this.#write(ask);
  }

  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): Awaitable<SqlRow[][]> {
    return this.#read(() => this.#port.snapshot(queries));
  }

  write(statements: readonly Statement[], durability?: Durability): Awaitable<void> {
    return this.#write(() => this.#port.write(statements, durability));
  }

  transaction<T>(body: () => Work<T>, durability?: Durability): Awaitable<T> {
    return this.#write(() => this.#port.transaction(body, durability));
  }

  erase<T>(body: () => Work<T>): Awaitable<T> {
    return this.#write(() => this.#port.erase(body));
  }

  run(sql: string, ...params: (readonly SqlValue[])[]): number {
    return this.#port.run(sql, ...params);
  }

  /** Queries that are not the store's come next: they have no other way to wait than in the thread. */
  waitAsAsked(): void {
    if (this.#waitsBriefly) this.#setWait(this.#policy.busyTimeoutMs);
    this.#waitsBriefly = false;
  }

  /** SQLite itself waits for the rare lock that keeps readers out; what it refuses at once is tried again. */
  #read<T>(ask: () => T): Awaitable<T> {
    try {
      return ask();
    } catch (error) {
      if (!isLocked(error)) throw error;
      return this.#again("read", ask, monotonicMs());
    }
  }

  #write<T>(ask: () => T): Awaitable<T> {
    const startedAt = monotonicMs();
    if (this.#last === undefined) {
      try {
        if (!this.#waitsBriefly) this.#waitBriefly();
        return ask();
      } catch (error) {
        if (!isLocked(error)) throw error;
      }
    }
    const before = this.#last ?? Promise.resolve();
    const turn = before.then(() => this.#again("write", () => this.#atOnce(ask), startedAt));
    const end = turn.then(ignored, ignored).then(() => {
      if (this.#last === end) this.#last = undefined;
    });
    this.#last = end;
    return turn;
  }

  /** @throws DB_BUSY once the waiting time is over, or the connection closed */
  async #again<T>(activity: "read" | "write", ask: () => T, startedAt: number): Promise<T> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      if (!this.#db.open) throw this.#closed();
      try {
        serviceMetrics.dbRetries.add();
        if (activity === "write") serviceMetrics.dbTransactionRetries.add();
        const answer = ask();
        serviceMetrics.dbLockWaitMs.observe(monotonicMs() - startedAt);
        return answer;
      } catch (error) {
        const spentMs = monotonicMs() - startedAt + pauseMs;
        if (!isLocked(error) || spentMs >= this.#policy.busyTimeoutMs) throw error;
        await pause(pauseMs);
      }
    }
  }

  #closed(): ServiceError {
    const { path } = this.#policy;
    return new ServiceError(
      "DB_BUSY",
      `The database ${path} was closed while a request waited for the lock of another process; nothing was written.`,
      { details: { path } },
    );
  }

  #atOnce<T>(ask: () => T): T {
    this.#setWait(0);
    try {
      return ask();
    } finally {
      if (this.#db.open) this.#waitBriefly();
    }
  }

  #waitBriefly(): void {
    this.#setWait(Math.min(IN_THREAD_MS, this.#policy.busyTimeoutMs));
    this.#waitsBriefly = true;
  }

  /** SQLite acts on this one while it compiles the text: a prepared statement would change nothing. */
  #setWait(ms: number): void {
    this.#db.pragma(`busy_timeout = ${ms}`);
  }
}

function isLocked(error: unknown): boolean {
  return ServiceError.is(error, "DB_BUSY");
}

function ignored(): void {}
