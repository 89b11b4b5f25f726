import { randomInt } from "node:crypto";
import type BetterSqlite3 from "better-sqlite3";
import { sha256Hex } from "../../util/hash.js";

/** A commit that the database must know of. */
export interface CommitAt {
  runNo: number;
  epoch: number;
  nextSeq: number;
}

/** Largest value of the header's field. */
const LARGEST_KEY = 2 ** 31 - 1;

/**
 * A secret of those who can read the database: a number in the header of its file. 0 where none was made.
 * There it survives the loss of the write-ahead log, which the tables of a new database do not.
 */
export function readMarkKey(db: BetterSqlite3.Database): number {
  return db.pragma("application_id", { simple: true }) as number;
}

export function newMarkKey(): number {
  return randomInt(1, LARGEST_KEY);
}

/** Of a database that has none yet: an older one, or an empty file, before it gets its write-ahead log. */
export function makeMarkKey(db: BetterSqlite3.Database): void {
  if (readMarkKey(db) !== 0) return;
  const make = db.transaction(() => {
    // Another process may have made it meanwhile.
    if (readMarkKey(db) === 0) db.pragma(`application_id = ${newMarkKey()}`);
  });
  make.immediate();
}

export function proofOf({ runNo, epoch, nextSeq }: CommitAt, key: number): string {
  return sha256Hex(JSON.stringify([key, runNo, epoch, nextSeq]));
}
