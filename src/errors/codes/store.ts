import type { ErrorFamily } from "../code-entry.js";

/** The database. */
export const storeCodes = {
  DB_MISSING_COLUMNS: {
    when: "an output table lacks columns that the engine or the schema needs",
    next: "Use a fresh database, or add the columns named in `details.columns`.",
    retryable: false,
  },
  DB_SCHEMA_CONFLICT: {
    when: "a schema gives a column another type than its stored rows have, or rows of a run lack a field that is now required",
    next: "Restore the field's type, rename the field or its output, make a new field optional, or use a fresh database.",
    retryable: false,
    httpStatus: 409,
  },
  DB_REQUIRES_RUNTIME_SQLITE: {
    when: "SQLite cannot be loaded, as where install scripts did not run, or a database of another driver was passed in",
    next: "Run `npm rebuild better-sqlite3` with the Node that runs treadle, adding `--ignore-scripts=false` where install scripts are off (pnpm: `pnpm approve-builds`). As a database, pass the `db` of `createService`.",
    retryable: false,
  },
  DB_QUERY_FAILED: {
    when: "reading from the database fails",
    next: "Read the cause; check that the database is reachable and the file intact.",
  },
  DB_WRITE_FAILED: {
    when: "a transaction cannot be committed, also not after the built-in retries",
    next: "Read the cause: a full disk, a locked file and lost permissions are the usual ones.",
  },
  DB_BUSY: {
    when: "another process holds the database's write lock for longer than the waiting time",
    next: "Try again; if it persists, find the process that keeps a transaction open.",
    httpStatus: 503,
  },
  DB_CONNECTION_LOST: {
    when: "a database server cannot be reached, or the connection to it was lost; `details.outcome` is `unknown` where that happened in the middle of a commit, which then is either whole or not there",
    next: "Check that the server runs and that `connectionString` names it. Runs are safe: who resumes one continues with what was committed.",
    httpStatus: 503,
  },
  DB_DRIVER_MISSING: {
    when: "the package that a Postgres or PGlite database needs is not installed",
    next: "Install the package that the message names, beside treadle.",
    retryable: false,
  },
  DB_LOST: {
    when: "the database's file, its write-ahead log or their folder was removed or replaced while it was in use, or the log is gone after a crash",
    next: "Put the files back from a backup, and keep other programs from moving or removing them.",
    httpStatus: 503,
  },
  DB_FOREIGN: {
    when: "the file is an SQLite database of another application",
    next: "Name another file with `--db` or `dbPath`; the engine's tables go into a file of their own.",
    retryable: false,
  },
  WORKSPACE_NOT_TRUSTED: {
    when: "the database, or code that was found by its name in a workspace, or a folder above belongs to another user or can be written by others, or the database is a symbolic link",
    next: "Look at the files, then run `treadle trust <path>`; or take the write permission of others away.",
    retryable: false,
    httpStatus: 403,
  },
  SERVICE_MIGRATION_REQUIRED: {
    when: "the database was written by a newer version of the library, or by an older one and may only be read",
    next: "A newer one: use a version of the library at least as new, or a fresh database. An older one: run `treadle ps` on it once as a user who may write the file and its folder.",
    retryable: false,
  },
  MEMORY_FACT_NOT_FOUND: {
    when: "a command names a fact that memory does not have, or whose time is over",
    next: "Look for it with `treadle memory list`, which shows the facts that there are.",
    retryable: false,
    httpStatus: 404,
  },
  MEMORY_THREAD_NOT_FOUND: {
    when: "a message is saved to a thread of memory that there is not",
    next: "Make the thread with `createThread` and use its `threadId`, or let a task with `memory={{ threadId }}` make it.",
    retryable: false,
    httpStatus: 404,
  },
  MEMORY_SCHEMA_MISMATCH: {
    when: "a fact of memory does not fit the schema that it is read by",
    next: "Write the fact anew with `set`, delete it, or make the new members of the schema optional.",
    retryable: false,
    httpStatus: 409,
  },
  MEMORY_EMBEDDING_FAILED: {
    when: "the embedding model that a search in memory uses fails, or answers with something else than one vector of numbers for each text",
    next: "Read the cause: a missing key, a model that is not there and a rate limit are the usual ones. Without `embedder` words are compared instead.",
  },
  STORAGE_ERROR: {
    when: "the store fails in a way that no other code describes",
    next: "Read the cause, and check the disk and the permissions of the database file.",
  },
} as const satisfies ErrorFamily;
