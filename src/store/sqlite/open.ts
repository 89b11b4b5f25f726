import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { toStoreError } from "./errors.js";

export interface SqliteOptions {
  /** File, or `:memory:`. */
  path: string;
  /** Case does not matter. @default "WAL" */
  journalMode?: JournalMode | Lowercase<JournalMode>;
  /** `full`: a commit survives power loss; `normal`: it survives a crash of the process. @default "full" */
  synchronous?: "full" | "normal";
  /** How long to wait for locks that other processes hold, milliseconds. @default 30000 */
  busyTimeoutMs?: number;
  /** `never` = an absent file is an error. @default "if-missing" */
  create?: "if-missing" | "never";
  /** Refuse writes, and leave the file as it is. @default false */
  readOnly?: boolean;
}

export const JOURNAL_MODES = ["WAL", "DELETE", "TRUNCATE", "PERSIST", "MEMORY"] as const;
export type JournalMode = (typeof JOURNAL_MODES)[number];

export const MEMORY_PATH = ":memory:";
export const DEFAULT_BUSY_TIMEOUT_MS = 30_000;

/** The driver is loaded with the first database, not with the library. */
const require = createRequire(import.meta.url);

/**
 * Opens the file without changing a byte of it; `configure` comes later.
 * @throws STORAGE_ERROR for a missing folder, a folder as path, a missing file
 * that may not be created; DB_REQUIRES_RUNTIME_SQLITE when the driver is absent.
 */
export function openSqlite(options: SqliteOptions): BetterSqlite3.Database {
  const { path } = options;
  if (path !== MEMORY_PATH) checkPath(path, options);
  const Driver = loadDriver();
  try {
    return new Driver(path, {
      readonly: options.readOnly ?? false,
      timeout: options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS,
    });
  } catch (error) {
    throw toStoreError(error, "open", path);
  }
}

/**
 * Pragmas of a connection. The journal mode is a property of the file and stays.
 * @throws STORAGE_ERROR when the file's disk does not support the journal mode
 */
export function configureSqlite(db: BetterSqlite3.Database, options: SqliteOptions): void {
  if (options.readOnly !== true && options.path !== MEMORY_PATH) setJournalMode(db, options);
  db.pragma(`synchronous = ${options.synchronous === "normal" ? "NORMAL" : "FULL"}`);
  db.pragma("foreign_keys = ON");
}

function setJournalMode(db: BetterSqlite3.Database, { path, journalMode = "WAL" }: SqliteOptions): void {
  const wanted = journalMode.toLowerCase();
  const actual = db.pragma(`journal_mode = ${wanted}`, { simple: true });
  if (actual === wanted) return;
  throw storageError(
    path,
    `The database ${path} cannot use the journal mode ${journalMode} where it is; it stays with ${actual}. Set journalMode to "DELETE".`,
  );
}

/** @throws INVALID_INPUT for an option of another value than its type allows */
export function checkSqliteOptions({ journalMode, synchronous }: SqliteOptions): void {
  const modes: readonly string[] = JOURNAL_MODES;
  if (journalMode !== undefined && !modes.includes(journalMode.toUpperCase())) {
    throw invalidOption("journalMode", modes, journalMode);
  }
  const levels = ["full", "normal"];
  if (synchronous !== undefined && !levels.includes(synchronous)) {
    throw invalidOption("synchronous", levels, synchronous);
  }
}

function invalidOption(path: string, allowed: readonly string[], received: string): ServiceError {
  const message = `expected ${allowed.map((value) => JSON.stringify(value)).join(" or ")}, received ${JSON.stringify(received)}`;
  return new ServiceError("INVALID_INPUT", `The database option ${path} is not valid: ${message}.`, {
    details: { issues: [{ path, message }] },
  });
}

function checkPath(path: string, { create, readOnly }: SqliteOptions): void {
  const target = resolve(path);
  if (existsSync(target)) {
    if (statSync(target).isDirectory()) {
      throw storageError(path, `The database path ${path} is a folder. Name a file inside it.`);
    }
    return;
  }
  if (create === "never" || readOnly === true) {
    throw storageError(path, `There is no database at ${path}.`);
  }
  const folder = dirname(target);
  if (!existsSync(folder)) {
    throw storageError(
      path,
      `The folder of the database ${path} does not exist. Create ${dirname(path)} first.`,
    );
  }
}

function storageError(path: string, summary: string): ServiceError {
  return new ServiceError("STORAGE_ERROR", summary, { retryable: false, details: { path } });
}

function loadDriver(): typeof BetterSqlite3 {
  try {
    return require("better-sqlite3") as typeof BetterSqlite3;
  } catch (cause) {
    throw new ServiceError("DB_REQUIRES_RUNTIME_SQLITE", "The SQLite driver could not be loaded.", { cause });
  }
}
