import { statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { isDriverError } from "./errors.js";
import { monotonicMs } from "../../util/monotonic-ms.js";

/** A write-ahead log larger than this is folded back when a run releases its lease. */
const LARGE_WAL_BYTES = 1024 * 1024;
/** Not more often than this, milliseconds: commits write bytes that the log has faster than bytes that make it longer. */
const REST_MS = 60_000;

/** Keeps the write-ahead log of a database small that runs are done with. */
export class WalShrinking {
  readonly #db: BetterSqlite3.Database;
  readonly #path: string;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(db: BetterSqlite3.Database, path: string) {
    this.#db = db;
    this.#path = path;
  }

  /**
   * Moves a large log into the database file, unless another connection uses it right now or that was done a short time
   * ago. Housekeeping after a commit that is already durable: when the disk fails here, the next write will say so.
   */
  released(): void {
    const nowMs = monotonicMs();
    if (nowMs - this.#lastMs < REST_MS) return;
    const size = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= LARGE_WAL_BYTES) return;
    this.#lastMs = nowMs;
    emptyWal(this.#db);
  }
}

/** Moves the log into the database file, unless another connection uses it right now. */
export function emptyWal(db: BetterSqlite3.Database): void {
  const waitMs: unknown = db.pragma("busy_timeout", { simple: true });
  db.pragma("busy_timeout = 0");
  try {
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!isDriverError(error)) throw error;
  } finally {
    db.pragma(`busy_timeout = ${waitMs}`);
  }
}
