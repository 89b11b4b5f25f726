import { existsSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { OwnFolder } from "../../process/own-folder.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import { type CommitAt, proofOf, readMarkKey } from "./mark-key.js";
import { ownImmediate, ownTimeout } from "../../util/own-timers.js";

interface Mark extends CommitAt {
  /** That who wrote it knew the key of the database. */
  proof: string;
}

const markOf = (path: string) => `${path}-mark`;

/** How old a mark may be, milliseconds. */
const MARK_EVERY_MS = 1_000;

/**
 * Says beside a database what has been committed to it, so that a write-ahead log
 * that is gone after a crash does not pass for work that was never done.
 *
 * Sound, because it names only what was on the disk before it was written, and
 * things that never go back: the number of a run, its epoch, its events. It may
 * be missing or old; then less is noticed. One that was left there by others, or is of another
 * database at this path, lacks the proof and is none.
 */
export class CommitMark {
  readonly #db: BetterSqlite3.Database;
  readonly #path: string;
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** The newest commit that no mark has yet. */
  #unmarked: CommitAt | undefined;
  #key: number | undefined;
  #isClosed = false;
  #folder: OwnFolder | undefined;

  constructor(db: BetterSqlite3.Database, path: string) {
    this.#db = db;
    this.#path = markOf(path);
  }

  /** Written at most once a second, after whatever waits for the commit; the last commit before a silence has one too. */
  write(at: CommitAt): void {
    const isPlanned = this.#unmarked !== undefined;
    this.#unmarked = at;
    if (isPlanned) return;
    const waitMs = this.#writtenAt + MARK_EVERY_MS - monotonicMs();
    if (waitMs <= 0) ownImmediate(() => this.#write());
    else ownTimeout(() => this.#write(), waitMs).unref();
  }

  #write(): void {
    const at = this.#unmarked;
    this.#unmarked = undefined;
    if (at === undefined || this.#isClosed) return;
    this.#writtenAt = monotonicMs();
    this.#key ??= readMarkKey(this.#db);
    const mark: Mark = { ...at, proof: proofOf(at, this.#key) };
    try {
      this.#folder ??= new OwnFolder(dirname(this.#path));
      this.#folder.write(basename(this.#path), JSON.stringify(mark));
    } catch {
      // A folder that takes no new files, a link in the mark's place: then less is noticed.
    }
  }

  /** After the connection was closed. Without a log everything is in the database itself. */
  close(): void {
    this.#isClosed = true;
    if (existsSync(this.#path.replace(/-mark$/, "-wal"))) return;
    rmSync(this.#path, { force: true });
  }
}

interface Opening {
  path: string;
  /** Whether the file existed before it was opened. */
  wasThere: boolean;
  /** Of the engine tables; 0 without any. */
  version: number;
  /** A reader leaves the mark of another database where it is. */
  readOnly: boolean;
}

/**
 * Holds a database against its mark, which was read before the version.
 * @throws DB_LOST when the database lacks what had been committed to it
 */
export function checkMark(
  db: BetterSqlite3.Database,
  mark: Mark,
  { path, wasThere, version, readOnly }: Opening,
): void {
  const file = markOf(path);
  const key = readMarkKey(db);
  // An empty file has no key, and no content that a foreign mark could make unreadable.
  const isOfThisDatabase = key === 0 ? version === 0 && wasThere : mark.proof === proofOf(mark, key);
  if (!isOfThisDatabase) {
    if (!readOnly) rmSync(file, { force: true });
    return;
  }
  if (version !== 0 && knows(db, mark)) return;
  throw new ServiceError(
    "DB_LOST",
    `The database ${path} lacks commits that were made: its write-ahead log ${path}-wal is gone, or the file is an older copy. To continue with what is left, delete ${file}.`,
    { details: { path, file } },
  );
}

function knows(db: BetterSqlite3.Database, { runNo, epoch, nextSeq }: CommitAt): boolean {
  const run = db.prepare("SELECT epoch, next_seq FROM _service_runs WHERE run_no = ?").raw().get(runNo) as
    | [number, number]
    | undefined;
  if (run !== undefined) return run[0] >= epoch && run[1] >= nextSeq;
  // A run that was deleted since had its number nevertheless.
  const newest = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = '_service_runs'").pluck().get();
  return typeof newest === "number" && newest >= runNo;
}

/** Reads the mark beside a database. A mark that a crash cut short says nothing, and a link, a pipe or a folder is none. */
export function readMark(path: string): Mark | undefined {
  try {
    const mark = JSON.parse(new OwnFolder(dirname(path)).read(basename(markOf(path)))) as Mark;
    const numbers = [mark.runNo, mark.epoch, mark.nextSeq];
    return numbers.every(Number.isSafeInteger) && typeof mark.proof === "string" ? mark : undefined;
  } catch {
    return undefined;
  }
}
