import type { Awaitable } from "../util/awaitable.js";

/** A value of a column. */
export type SqlValue = string | number | null;

/** A row as the values of the selected columns, in their order. */
export type SqlRow = readonly SqlValue[];

/** A read: its text, its arguments, and how rows become a value. */
export interface Query<T> {
  sql: string;
  params: readonly SqlValue[];
  read(rows: readonly SqlRow[]): T;
}

/** One write of a transaction. */
export interface Statement {
  sql: string;
  params: readonly SqlValue[];
  /** How many rows it must touch; absent = any number. */
  expectRows?: number;
  /**
   * The error that replaces the transaction when it touches another number of rows, or the query
   * that finds it: asked in the same transaction, so it sees what the statement saw.
   */
  onMiss?(): Error | Query<Error>;
  /**
   * Its text writes the one row of its parameters, `VALUES (?, …)`, and expects nothing: it may be
   * written in one go with others of the same text, in their order, after everything else of the transaction.
   */
  isRow?: true;
}

/** `full`: survives power loss. `relaxed`: survives a crash of the process, and costs no wait for the disk. */
export type Durability = "full" | "relaxed";

/** The activity of a failed statement, for the sentence and the fallback code of its error. */
export type SqlActivity = "read" | "write" | "open";

/** One request of store logic to the port that it runs on. */
export type Ask = (port: SqlPort) => Awaitable<unknown>;

/**
 * Store logic: yields what it asks of the database and is given the answer, whether that was there at once
 * (`logic/answer.ts#runNow`) or came later (`runLater`). It begins when it is run, and is run once.
 */
export type Work<T> = Generator<Ask, T, unknown>;

/**
 * The whole contract of a database. SQL is written once, in repositories/, with `?` for parameters and
 * nothing that only one database understands; the rest is in the store's Dialect.
 *
 * - Values are strings, numbers and null in both directions: 64-bit integers come as numbers, JSON and booleans
 *   are never the driver's. Rows are lists of values in the order of the columns.
 * - Errors of the driver become ServiceErrors that name the database: DB_BUSY where the same may succeed later
 *   (a lock, a deadlock, a failed serialization, after trying for a while), DB_QUERY_FAILED, DB_WRITE_FAILED,
 *   STORAGE_ERROR. An error of a body is thrown as it is, once everything is rolled back.
 * - A body may run more than once, as a transaction that could not get its lock is tried again. Outside of the
 *   database it therefore changes nothing.
 */
export interface SqlPort {
  /**
   * The rows of one statement: a SELECT, or one INSERT, UPDATE or DELETE with
   * RETURNING, which then is its own transaction.
   * @throws DB_QUERY_FAILED, DB_BUSY, STORAGE_ERROR
   */
  all(sql: string, params: readonly SqlValue[]): Awaitable<SqlRow[]>;
  /** Several reads that see the same moment. */
  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): Awaitable<SqlRow[][]>;
  /**
   * One transaction: all statements or none. Each sees what is committed when it begins, and locks the rows that it
   * writes; the first of a run's commit updates the run's row, which keeps other writers of the run out.
   * `durability` is the least that is asked for. @default "full"
   * @throws what `onMiss` returns or finds, DB_WRITE_FAILED, DB_BUSY, STORAGE_ERROR
   */
  write(statements: readonly Statement[], durability?: Durability): Awaitable<void>;
  /**
   * One transaction around the reads and writes of `body`, serializable: what it has read, nothing else changes
   * before it commits. Takes the write lock first where the database has one. Part of the one that is open.
   * `durability` as of `write`.
   * @throws as `write`, and what `body` throws
   */
  transaction<T>(body: () => Work<T>, durability?: Durability): Awaitable<T>;
  /** As `transaction`; what it deletes is not to be found in the database's files afterwards, as far as it can see to that. */
  erase<T>(body: () => Work<T>): Awaitable<T>;
  /** Inside a transaction: runs a statement with its parameters, in one list or several. @returns rows touched */
  run(sql: string, ...params: (readonly SqlValue[])[]): Awaitable<number>;
}

/** A port whose answers are already here. */
export interface SyncSqlPort extends SqlPort {
  all(sql: string, params: readonly SqlValue[]): SqlRow[];
  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): SqlRow[][];
  write(statements: readonly Statement[], durability?: Durability): void;
  transaction<T>(body: () => Work<T>, durability?: Durability): T;
  erase<T>(body: () => Work<T>): T;
  run(sql: string, ...params: (readonly SqlValue[])[]): number;
}
