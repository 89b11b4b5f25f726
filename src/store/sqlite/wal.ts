import { statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { isBusy } from "./errors.js";

/** A write-ahead log larger than this is folded back when a run lets go of its lease. */
const LARGE_WAL_BYTES = 1024 * 1024;

/** Moves a large log into the database file, unless somebody is using it right now: the next time will do. */
export function shrinkWal(db: BetterSqlite3.Database, path: string, busyTimeoutMs: number): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LARGE_WAL_BYTES) return;
  db.pragma("busy_timeout = 0");
  try {
    db.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
