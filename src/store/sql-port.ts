import type { Awaitable } from "../util/awaitable.js";

/** What goes into and comes out of a column. */
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
  /** The error that replaces the transaction when it touches another number of rows. */
  onMiss?(): Error;
  /**
   * Its text writes the one row of its parameters, `VALUES (?, …)`, and expects nothing: it may be
   * written in one go with others of the same text, in their order, after everything else of the transaction.
   */
  isRow?: true;
}

/** `full`: survives power loss. `relaxed`: survives a crash of the process, and costs no wait for the disk. */
export type Durability = "full" | "relaxed";

/**
 * The little that a dialect has to offer. SQL is written once, in repositories/,
 * with `?` for parameters and nothing that only one database understands.
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
   * One transaction that takes the write lock first: all statements or none.
   * `durability` is the least that is asked for. @default "full"
   * @throws what `onMiss` returns, DB_WRITE_FAILED, DB_BUSY, STORAGE_ERROR
   */
  write(statements: readonly Statement[], durability?: Durability): Awaitable<void>;
}

/** A port whose answers are already here. */
export interface SyncSqlPort extends SqlPort {
  all(sql: string, params: readonly SqlValue[]): SqlRow[];
  snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): SqlRow[][];
  write(statements: readonly Statement[], durability?: Durability): void;
}
