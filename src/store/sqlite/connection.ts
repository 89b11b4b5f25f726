import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { configureSqlite, openSqlite } from "./open.js";
import type { ResolvedSqliteOptions } from "./options.js";
import { SqlitePort } from "./port.js";
import { checkUsable, prepareEngineTables, readVersion } from "./prepare.js";
import { retryBusy } from "./retry-busy.js";
import { shrinkWal } from "./wal.js";

interface OpenDatabase {
  db: BetterSqlite3.Database;
  port: SqlitePort;
}

/** A database file that is opened, checked and migrated at its first use. */
export class SqliteConnection {
  readonly #options: ResolvedSqliteOptions;
  #open: OpenDatabase | undefined;
  #closed = false;

  constructor(options: ResolvedSqliteOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get port(): SqlitePort {
    return this.use().port;
  }

  /** Opens on the first call. @throws STORAGE_ERROR, SERVICE_MIGRATION_REQUIRED … */
  use(): OpenDatabase {
    if (this.#open !== undefined) return this.#open;
    if (this.#closed) {
      throw new ServiceError("STORAGE_ERROR", `The database ${this.path} was closed and is used again.`, {
        retryable: false,
      });
    }
    this.#open = this.#openAndPrepare();
    return this.#open;
  }

  /** Keeps the write-ahead log small; nothing to do before the first use. */
  shrinkWal(): void {
    if (this.#open === undefined || this.#options.inMemory || this.#options.readOnly) return;
    shrinkWal(this.#open.db, this.#options);
  }

  /** Idempotent. A connection that was closed stays closed. */
  close(): void {
    if (this.#closed) return;
    this.shrinkWal();
    this.#closed = true;
    this.#open?.db.close();
    this.#open = undefined;
  }

  #openAndPrepare(): OpenDatabase {
    const options = this.#options;
    const { path } = options;
    const db = openSqlite(options);
    try {
      const version = retryBusy("open", options, () => readVersion(db, path));
      checkUsable(version, options);
      retryBusy("open", options, () => configureSqlite(db, options, { isNew: version === 0 }));
      const port = new SqlitePort(db, options);
      if (!options.readOnly) prepareEngineTables(db, port, { path, nowMs: Date.now() });
      return { db, port };
    } catch (error) {
      db.close();
      throw error;
    }
  }
}
