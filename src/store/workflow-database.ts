/**
 * drizzle's `BetterSQLite3Database` on a workflow's file, for queries of one's own. Declared here is what
 * needs none of drizzle's types, which are large; cast it to drizzle's type for the typed query builder.
 */
export interface WorkflowDatabase {
  /** The rows of a query: SQL text, or what drizzle's `sql` makes. */
  all<Row = unknown>(query: string | object): Row[];
  /** The first row, or undefined. */
  get<Row = unknown>(query: string | object): Row | undefined;
  /** Executes a statement. Tables that start with `_service_` are the engine's: reading them is safe, writing is not. */
  run(query: string | object): { changes: number; lastInsertRowid: number | bigint };
}

/**
 * drizzle's `PgRemoteDatabase` on a workflow's Postgres database, for queries of one's own; cast it to that type for
 * the typed query builder. It has no transactions.
 */
export interface PostgresWorkflowDatabase {
  /** The rows of a query, as objects by column: SQL text, or a query that drizzle's `sql` makes. Tables that start with `_service_` are the engine's: reading them is safe, writing is not. */
  execute<Row = unknown>(query: string | object): Promise<Row[]>;
}
