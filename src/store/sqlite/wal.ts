import { statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { isDriverError } from "./errors.js";
import type { BusyPolicy } from "./retry-busy.js";

/** A write-ahead log larger than this is folded back when a run releases its lease. */
const LARGE_WAL_BYTES = 1024 * 1024;

/**
 * Moves a large log into the database file, unless another connection uses it right
 * now. Housekeeping after a commit that is already durable: when the disk fails
 * here, the next write will say so.
 */
export function shrinkWal(db: BetterSqlite3.Database, { path }: Pick<BusyPolicy, "path">): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGE_WAL_BYTES) emptyWal(db);
}

/** As `shrinkWal`, for a log of any size. */
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
