import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import type { WantedTable } from "../migrations/generated-tables.js";
import {
  configureSqlite,
  DEFAULT_BUSY_TIMEOUT_MS,
  MEMORY_PATH,
  openSqlite,
  type SqliteOptions,
} from "./open.js";
import { SqlitePort } from "./port.js";
import { checkReadable, prepareTables, readVersion } from "./prepare.js";
import { retryBusy } from "./retry-busy.js";
import { shrinkWal } from "./wal.js";

/** A database file that is opened, checked and migrated at its first use. */
export class SqliteConnection {
  readonly #options: SqliteOptions;
  readonly #wanted: readonly WantedTable[];
  #open: { db: BetterSqlite3.Database; port: SqlitePort } | undefined;
  #closed = false;

  constructor(options: SqliteOptions, wanted: readonly WantedTable[]) {
    this.#options = options;
    this.#wanted = wanted;
  }

  get path(): string {
    return this.#options.path;
  }

  get db(): BetterSqlite3.Database {
    return this.use().db;
  }

  get port(): SqlitePort {
    return this.use().port;
  }

  /** Keeps the write-ahead log small; nothing to do before the first use. */
  shrinkWal(): void {
    if (this.#open === undefined || this.path === MEMORY_PATH || this.#options.readOnly === true) return;
    shrinkWal(this.#open.db, this.path, this.#busyTimeoutMs);
  }

  /** Idempotent. A connection that was closed stays closed. */
  close(): void {
    if (this.#closed) return;
    this.shrinkWal();
    this.#closed = true;
    this.#open?.db.close();
    this.#open = undefined;
  }

  get #busyTimeoutMs(): number {
    return this.#options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS;
  }

  /** Opens on the first call. @throws STORAGE_ERROR, SERVICE_MIGRATION_REQUIRED, DB_SCHEMA_CONFLICT … */
  use(): { db: BetterSqlite3.Database; port: SqlitePort } {
    if (this.#open !== undefined) return this.#open;
    if (this.#closed) {
      throw new ServiceError("STORAGE_ERROR", `The database ${this.path} was closed and is used again.`, {
        retryable: false,
      });
    }
    const { path, readOnly = false } = this.#options;
    const policy = { path, busyTimeoutMs: this.#busyTimeoutMs };
    const db = openSqlite(this.#options);
    try {
      const version = retryBusy("open", policy, () => readVersion(db, path));
      if (readOnly) checkReadable(version, path);
      retryBusy("open", policy, () => configureSqlite(db, this.#options));
      const port = new SqlitePort(db, policy);
      if (!readOnly) prepareTables(db, port, { path, wanted: this.#wanted, nowMs: Date.now() });
      this.#open = { db, port };
      return this.#open;
    } catch (error) {
      db.close();
      throw error;
    }
  }
}
