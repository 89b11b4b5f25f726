import { existsSync, statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import type { Awaitable } from "../../util/awaitable.js";
import { systemClock } from "../../util/clock.js";
import type { Lease } from "../lease.js";
import { RunListeners } from "../listeners.js";
import { runNow, runSoon } from "../logic/answer.js";
import type { Database } from "../logic/database.js";
import { checkMark, CommitMark, readMark } from "./commit-mark.js";
import { DATA_VERSION, SQLITE, TOTAL_CHANGES } from "./dialect.js";
import { FileGuard } from "./file-guard.js";
import { configureSqlite, openSqlite } from "./open.js";
import type { ResolvedSqliteOptions } from "./options.js";
import { PatientPort } from "./patient-port.js";
import { type AfterStatements, SqlitePort } from "./port.js";
import { checkUsable } from "../migrations/check-usable.js";
import { NEWEST_VERSION } from "../migrations/migrate.js";
import type { Query, SyncSqlPort, Work } from "../sql-port.js";
import { completeNewFile, prepareEngineTables, readSchemaVersion, refuseForeign } from "./prepare.js";
import { retryBusy } from "./retry-busy.js";
import { emptyWal, WalShrinking } from "./wal.js";

interface OpenDatabase {
  db: BetterSqlite3.Database;
  port: PatientPort;
  /** Waits for locks in the thread. */
  waiting: SyncSqlPort;
  /** Absent where a log that is gone would lose nothing, or only what may be lost. */
  mark?: CommitMark;
  /** Absent where it is no file, or is only read. */
  log?: WalShrinking;
}

/** Larger files are not looked through as a whole; their rows have checksums. */
const LARGEST_CHECKED_BYTES = 64 * 1024 * 1024;

/** A database file that is opened, checked and migrated at its first use. */
export class SqliteConnection implements Database<"soon"> {
  readonly dialect = SQLITE;
  /** Processes that have one file are on one machine. */
  readonly clock = systemClock;
  readonly commits: RunListeners;
  readonly #options: ResolvedSqliteOptions;
  #open: OpenDatabase | undefined;
  #closed = false;

  constructor(options: ResolvedSqliteOptions) {
    this.#options = options;
    this.commits = options.inMemory ? new RunListeners() : RunListeners.ofFile(options.path);
  }

  get path(): string {
    return this.#options.path;
  }

  get port(): PatientPort {
    return this.use().port;
  }

  read<T>({ sql, params, read }: Query<T>): Awaitable<T> {
    const rows = this.port.all(sql, params);
    return rows instanceof Promise ? rows.then(read) : read(rows);
  }

  run<T>(work: Work<T>): Awaitable<T> {
    return runSoon(this.port, work);
  }

  prepare(makeTables: () => Work<void>): void {
    this.use(makeTables);
  }

  /**
   * Opens on the first call; what is still to be made then is made by `makeTables`, in a new
   * database together with the engine tables.
   * @throws STORAGE_ERROR, SERVICE_MIGRATION_REQUIRED …
   */
  use(makeTables: () => Work<void> = noTables): OpenDatabase {
    if (this.#open !== undefined) return this.#open;
    if (this.#closed) {
      throw new ServiceError("STORAGE_ERROR", `The database ${this.path} was closed and is used again.`, {
        retryable: false,
      });
    }
    this.#open = this.#openAndPrepare(makeTables);
    return this.#open;
  }

  changeToken(): Awaitable<number | undefined> {
    return this.read(DATA_VERSION);
  }

  ownWrites(): Awaitable<number> {
    return this.read(TOTAL_CHANGES);
  }

  /** Remembers outside of the database that this commit was made. */
  committed(runNo: number, { epoch }: Lease, lastSeq: number | undefined): void {
    if (lastSeq === undefined) return;
    this.#open?.mark?.write({ runNo, epoch, nextSeq: lastSeq + 1 });
  }

  /**
   * Looks for damaged pages, in a database of a size where that takes no time worth mentioning. Only what two
   * connections find that have read nothing before is called damage: a connection that has cached the structure of a
   * search index takes what another process writes for damage.
   * @throws STORAGE_ERROR
   */
  checkIntegrity(): void {
    if (this.#options.inMemory || statSync(this.path).size > LARGEST_CHECKED_BYTES) return;
    if (this.#problemInFile() === undefined) return;
    const problem = this.#problemInFile();
    if (problem === undefined) return;
    throw new ServiceError(
      "STORAGE_ERROR",
      `The database ${this.path} is damaged: ${problem}. Restore it from a backup.`,
      { retryable: false, details: { path: this.path, problem } },
    );
  }

  #problemInFile(): string | undefined {
    const options = { ...this.#options, readOnly: true, mayCreate: false };
    const { db } = openSqlite(options);
    try {
      const found = retryBusy("read", options, () => db.pragma("quick_check(1)", { simple: true }));
      return found === "ok" ? undefined : String(found);
    } finally {
      db.close();
    }
  }

  /** Keeps the write-ahead log small; nothing to do before the first use. */
  released(): void {
    this.#open?.log?.released();
  }

  /** Idempotent. A connection that was closed stays closed. */
  close(): void {
    if (this.#closed) return;
    this.released();
    this.#closed = true;
    this.#open?.db.close();
    this.#open?.mark?.close();
    this.#open = undefined;
  }

  #openAndPrepare(makeTables: () => Work<void>): OpenDatabase {
    const options = this.#options;
    const { path } = options;
    const wasThere = !options.inMemory && existsSync(path);
    const { db, isMade } = openSqlite(options);
    try {
      // Before anything of the database, which may grow meanwhile: a mark is older than what it is held against.
      const mark = options.inMemory ? undefined : readMark(path);
      const version = retryBusy("open", options, () => readSchemaVersion(db, path));
      if (mark !== undefined) {
        retryBusy("open", options, () => checkMark(db, mark, { ...options, wasThere, version }));
      }
      checkUsable(version, options);
      if (version === 0) refuseForeign(db, path);
      retryBusy("open", options, () => configureSqlite(db, options, { isNew: version === 0 }));
      const isInWal = !options.inMemory && db.pragma("journal_mode", { simple: true }) === "wal";
      const guard = options.inMemory ? undefined : new FileGuard(path, { hasLog: isInWal });
      const after: AfterStatements = {
        any: () => guard?.check(),
        erasure: () => !options.inMemory && emptyWal(db),
      };
      const canRelax = isInWal && options.synchronous === "full";
      const waiting = new SqlitePort(db, { policy: options, canRelax, after });
      const nowMs = Date.now();
      if (isMade && version === NEWEST_VERSION) completeNewFile(waiting, { nowMs, makeTables });
      else if (options.readOnly || version === NEWEST_VERSION) runNow(waiting, makeTables());
      else prepareEngineTables(db, waiting, { path, nowMs, makeTables });
      const impatient = new SqlitePort(db, { policy: { path, busyTimeoutMs: 0 }, canRelax, after });
      const port = new PatientPort(db, impatient, options);
      const isMarked = canRelax && !options.readOnly;
      const log = options.inMemory || options.readOnly ? undefined : new WalShrinking(db, path);
      return { db, port, waiting, ...(isMarked && { mark: new CommitMark(db, path) }), ...(log && { log }) };
    } catch (error) {
      db.close();
      throw error;
    }
  }
}

function* noTables(): Work<void> {}
