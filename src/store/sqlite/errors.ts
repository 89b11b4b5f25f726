import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { SqlActivity } from "../sql-port.js";

/** The driver's error as a ServiceError that says what to do; other errors pass through. */
export function toStoreError(error: unknown, activity: SqlActivity, path: string): unknown {
  if (!isDriverError(error)) return error;
  const primary = /^SQLITE_[A-Z]+/.exec(error.code)?.[0] ?? error.code;
  // A log, or its index, that cannot grow is reported as an error of the disk.
  const problem = PROBLEMS[primary === "SQLITE_IOERR" && isDiskFull(path) ? "SQLITE_FULL" : primary];
  const verb = { read: "read", write: "write to", open: "open" }[activity];
  const reason = problem === undefined ? error.message : problem.reason;
  const fallback = { read: "DB_QUERY_FAILED", write: "DB_WRITE_FAILED", open: "STORAGE_ERROR" }[activity];
  return new ServiceError(problem?.code ?? fallback, `Cannot ${verb} the database ${path}: ${reason}.`, {
    cause: error,
    details: { path, sqliteCode: error.code },
    ...(problem?.retryable !== undefined && { retryable: problem.retryable }),
  });
}

/** Less than what SQLite asks for at a time. */
const FULL_BYTES = 64 * 1024;

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < FULL_BYTES;
  } catch {
    return false;
  }
}

/** Another process holds the lock; the same statement may succeed later. */
export function isBusy(error: unknown): boolean {
  return isDriverError(error) && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

interface Problem {
  code?: string;
  reason: string;
  retryable?: boolean;
}

const PROBLEMS: Readonly<Record<string, Problem>> = {
  SQLITE_BUSY: { code: "DB_BUSY", reason: "another process kept it locked for longer than the waiting time" },
  SQLITE_LOCKED: { code: "DB_BUSY", reason: "another statement of this process keeps it locked" },
  SQLITE_FULL: { reason: "the disk, or the size allowed for the file, is full; free some space" },
  SQLITE_IOERR: { reason: "the disk reported an input/output error; check the disk and its mount" },
  SQLITE_READONLY: {
    reason: "it is read-only; check the permissions of the file and its folder",
    retryable: false,
  },
  SQLITE_PERM: {
    reason: "access was denied; check the permissions of the file and its folder",
    retryable: false,
  },
  SQLITE_CANTOPEN: {
    code: "STORAGE_ERROR",
    reason:
      "the file cannot be opened; check that it is a file in an existing folder with sufficient permissions",
    retryable: false,
  },
  SQLITE_CORRUPT: {
    code: "STORAGE_ERROR",
    reason: "the file is damaged; restore it from a backup",
    retryable: false,
  },
  SQLITE_NOTADB: {
    code: "STORAGE_ERROR",
    reason: "the file is not an SQLite database; choose another path",
    retryable: false,
  },
};

/** Whether SQLite itself reported it. */
export function isDriverError(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "string" && error.code.startsWith("SQLITE_");
}
