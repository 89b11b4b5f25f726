import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { once } from "../../util/once.js";
import { toStoreError } from "./errors.js";
import { makeMarkKey } from "./mark-key.js";
import { makeNewFile } from "./new-file.js";
import { newImage } from "./new-image.js";
import { MEMORY_PATH, type ResolvedSqliteOptions } from "./options.js";
import { checkTrusted } from "./trust.js";

/** The driver is loaded with the first database, not with the library. */
const require = createRequire(import.meta.url);

export interface OpenedFile {
  db: BetterSqlite3.Database;
  /** By this call, with the engine tables. */
  isMade: boolean;
}

/**
 * Opens the file without changing a byte of it; makes one that is not there.
 * @throws STORAGE_ERROR for a missing folder, a folder as path, a missing file
 * that may not be created; WORKSPACE_NOT_TRUSTED; DB_REQUIRES_RUNTIME_SQLITE when the driver, or its native part, cannot be loaded.
 */
export function openSqlite(options: ResolvedSqliteOptions): OpenedFile {
  if (!options.inMemory) checkPlace(options);
  const Driver = loadDriver();
  const isMade = !options.inMemory && options.mayCreate && create(options);
  try {
    const db = new Driver(options.path, {
      readonly: options.readOnly,
      timeout: options.busyTimeoutMs,
      ...builtBinding(),
    });
    return { db, isMade };
  } catch (error) {
    throw toStoreError(error, "open", options.path);
  }
}

/**
 * Pragmas of a connection. The journal mode is a property of the file and stays.
 * @throws STORAGE_ERROR when the file's disk does not support the journal mode
 */
export function configureSqlite(
  db: BetterSqlite3.Database,
  options: ResolvedSqliteOptions,
  { isNew }: { isNew: boolean },
): void {
  // The first write to a new file needs no sync of its own: the next transaction writes the same page.
  if (isNew) db.pragma("synchronous = OFF");
  if (!options.readOnly && !options.inMemory) makeMarkKey(db);
  db.pragma(`synchronous = ${options.synchronous}`);
  const journalMode = options.journalMode ?? (isNew ? "WAL" : undefined);
  if (journalMode !== undefined && !options.readOnly && !options.inMemory) {
    const actual: unknown = db.pragma(`journal_mode = ${journalMode}`, { simple: true });
    if (actual !== journalMode.toLowerCase()) {
      throw storageError(
        options.path,
        `The database ${options.path} cannot use the journal mode ${journalMode} where it is; set journalMode to "DELETE".`,
      );
    }
  }
  db.pragma("foreign_keys = ON");
}

function checkPlace(options: ResolvedSqliteOptions): void {
  const { path } = options;
  try {
    checkTrusted(path);
    checkPath(options);
  } catch (cause) {
    if (ServiceError.is(cause)) throw cause;
    // EACCES, ELOOP, ENAMETOOLONG …: the way to the file cannot be gone.
    const { code = "unknown error" } = cause as NodeJS.ErrnoException;
    throw new ServiceError("STORAGE_ERROR", `The database path ${path} cannot be looked up: ${code}.`, {
      cause,
      retryable: false,
      details: { path, errno: code },
    });
  }
}

function checkPath({ path, mayCreate }: ResolvedSqliteOptions): void {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isDirectory() === true) {
    throw storageError(path, `The database path ${path} is a folder. Name a file inside it.`);
  }
  if (file !== undefined) return;
  if (!mayCreate) throw storageError(path, `There is no database at ${path}.`);
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  throw storageError(path, `The folder of the database ${path} does not exist. Create ${folder} first.`);
}

/** Whether the file was made, with the engine tables. */
function create(options: ResolvedSqliteOptions): boolean {
  const { path } = options;
  try {
    if (makeNewFile(options, image)) return true;
    closeSync(openSync(path, "ax", 0o600));
    return false;
  } catch (error) {
    // It exists, or it cannot be made, which the driver says in its own words: all but that there is no room.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOSPC" && code !== "EDQUOT") return false;
    throw new ServiceError(
      "STORAGE_ERROR",
      `The database ${path} cannot be made: the disk has no room for another file, or is full; free some space.`,
      { cause: error, details: { path, errno: code } },
    );
  }
}

function storageError(path: string, summary: string): ServiceError {
  return new ServiceError("STORAGE_ERROR", summary, { retryable: false, details: { path } });
}

/** @throws DB_REQUIRES_RUNTIME_SQLITE */
export function checkDriver(): void {
  loadDriver();
}

/** Where the driver's own installation puts its binary; anywhere else the driver looks for it, which takes it a while. */
const builtBinding = once((): { nativeBinding?: string } => {
  const folder = dirname(dirname(require.resolve("better-sqlite3")));
  const nativeBinding = join(folder, "build", "Release", "better_sqlite3.node");
  return existsSync(nativeBinding) ? { nativeBinding } : {};
});

/**
 * The driver with its native part, which it loads with its first database: before a file is made that could not be used.
 * @throws DB_REQUIRES_RUNTIME_SQLITE
 */
const loadDriver = once((): typeof BetterSqlite3 => {
  try {
    const Driver = require("better-sqlite3") as typeof BetterSqlite3;
    new Driver(MEMORY_PATH, builtBinding()).close();
    return Driver;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Where the driver has looked for it is a list of a dozen paths, and no help.
    const isAbsent = code === "MODULE_NOT_FOUND" || (error as { tries?: unknown }).tries !== undefined;
    throw new ServiceError(
      "DB_REQUIRES_RUNTIME_SQLITE",
      isAbsent
        ? "The native part of better-sqlite3 is not there: its install script has not run."
        : `The native part of better-sqlite3 cannot be loaded by Node ${process.versions.node}.`,
      isAbsent ? {} : { cause: error },
    );
  }
});

/** Of a new database: every file that this process makes begins with it. */
const image = once(() => newImage(loadDriver()));
