import { resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";

export interface SqliteOptions {
  /** File, relative to the current directory, or `:memory:`. */
  path: string;
  /** Case does not matter. Default: WAL for a new database, what it has for an existing one. */
  journalMode?: JournalMode | Lowercase<JournalMode>;
  /** `full`: a commit survives power loss; `normal`: it survives a crash of the process. @default "full" */
  synchronous?: "full" | "normal";
  /** How long to wait for locks that other processes hold, milliseconds. @default 30000 */
  busyTimeoutMs?: number;
  /** `never`: a file that is absent, or has no engine tables, is an error. @default "if-missing" */
  create?: "if-missing" | "never";
  /** Refuse writes, and leave the file as it is. @default false */
  readOnly?: boolean;
}

export const JOURNAL_MODES = ["WAL", "DELETE", "TRUNCATE", "PERSIST", "MEMORY"] as const;
export type JournalMode = (typeof JOURNAL_MODES)[number];

export const MEMORY_PATH = ":memory:";

/** Options as the connection works with them. */
export interface ResolvedSqliteOptions {
  /** Absolute, or `:memory:`. */
  path: string;
  inMemory: boolean;
  /** Undefined = not asked for. */
  journalMode: JournalMode | undefined;
  synchronous: "full" | "normal";
  busyTimeoutMs: number;
  /** Whether a new database may be made. */
  mayCreate: boolean;
  readOnly: boolean;
}

/** @throws INVALID_INPUT for an option of another value than its type allows */
export function resolveSqliteOptions(options: SqliteOptions): ResolvedSqliteOptions {
  const { path, synchronous = "full", busyTimeoutMs = 30_000, create, readOnly = false } = options;
  const journalMode = JOURNAL_MODES.find((mode) => mode === options.journalMode?.toUpperCase());
  if (options.journalMode !== undefined && journalMode === undefined) {
    throw invalidOption("journalMode", JOURNAL_MODES, options.journalMode);
  }
  const levels = ["full", "normal"];
  if (!levels.includes(synchronous)) throw invalidOption("synchronous", levels, synchronous);
  const inMemory = path === MEMORY_PATH;
  return {
    // At once, not at the first use: the current directory may be another one by then.
    path: inMemory ? path : resolve(path),
    inMemory,
    journalMode,
    synchronous,
    busyTimeoutMs,
    mayCreate: create !== "never" && !readOnly,
    readOnly,
  };
}

function invalidOption(path: string, allowed: readonly string[], received: string): ServiceError {
  const expected = allowed.map((value) => JSON.stringify(value)).join(" or ");
  const message = `expected ${expected}, received ${JSON.stringify(received)}`;
  return new ServiceError("INVALID_INPUT", `The database option ${path} is not valid: ${message}.`, {
    details: { issues: [{ path, message }] },
  });
}
