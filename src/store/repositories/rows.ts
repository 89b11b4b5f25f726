import { ServiceError } from "../../errors/service-error.js";
import type { EngineTable } from "../columns/row-table.js";
import { PLACES_OF_RUN } from "../engine-tables/places.js";
import type { SqlValue, Statement } from "../sql-port.js";
import { ColumnMismatch } from "../tables/row-codec.js";

/**
 * The result of `decode`, which reads a row of a generated table.
 * @throws STORAGE_ERROR naming table, row and column
 */
export function readRow<T>({ table, row, runId }: GeneratedRow, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof ColumnMismatch)) throw error;
    const { column, problem } = error;
    const place = `Row ${[...row, `of run "${runId}"`].join(" ")} in table ${table}`;
    throw new ServiceError("STORAGE_ERROR", `${place}: ${column} ${problem}.`, {
      retryable: false,
      details: { table, row: row.join(" "), column, runId },
    });
  }
}

export interface GeneratedRow {
  table: string;
  /** The key among the rows of its run. */
  row: readonly unknown[];
  runId: string;
}

/** A condition, with its parameters. */
export interface Condition {
  sql: string;
  params: readonly SqlValue[];
}

/** `?, ?, ?` */
export function placeholders(count: number): string {
  return Array(count).fill("?").join(", ");
}

/** Condition that a column has one of `count` values; an empty list matches nothing. */
export function isOneOf(column: string, count: number): string {
  return count === 0 ? "1 = 0" : `${column} IN (${placeholders(count)})`;
}

/** Condition that a column has none of `count` values; an empty list matches everything. */
export function isNoneOf(column: string, count: number): string {
  return count === 0 ? "1 = 1" : `${column} NOT IN (${placeholders(count)})`;
}

/**
 * Condition that a column has none of these texts, as the ranges between them: an index of the column finds such
 * rows at once, where `isNoneOf` looks at each.
 */
export function isBetween(column: string, texts: readonly string[]): string {
  const ends = texts.toSorted();
  const ranges = ends.slice(1).map((end, at) => `(${column} > '${ends[at]}' AND ${column} < '${end}')`);
  return `(${[`${column} < '${ends[0]}'`, ...ranges, `${column} > '${ends.at(-1)}'`].join(" OR ")})`;
}

/** The pattern of a text that stands anywhere, for `contains`. Columns of every database have no other letters in two cases. */
export function anywhere(text: string): string {
  const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `%${lower.replaceAll(/[!%_]/g, "!$&")}%`;
}

/** Condition that a column has a text in it, the letters A to Z in either case. Parameter: its pattern. */
export function contains(column: string): string {
  return `lower(${column}) LIKE ? ESCAPE '!'`;
}

/** Insert, or overwrite every column that is not part of the key. */
export function upsertSql(table: string, keys: readonly string[], others: readonly string[]): string {
  const columns = [...keys, ...others];
  const update =
    others.length === 0
      ? "NOTHING"
      : `UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders(columns.length)}) ON CONFLICT (${keys.join(", ")}) DO ${update}`;
}

/** Inserts a row of a run. Parameters: the run's number and `write`. */
export function insertSql(table: EngineTable): string {
  return `INSERT INTO ${table.name} (run_no, ${table.names()}) VALUES (?, ${placeholders(table.width)})`;
}

/** As `insertSql`, of a row that belongs to no run. Parameters: `write`. */
export function insertAlone(table: EngineTable): string {
  return `INSERT INTO ${table.name} (${table.names()}) VALUES (${placeholders(table.width)})`;
}

/** `upsertSql` of an engine table; the parameters are the number of the run, where rows belong to one, and `write`. */
export function upsertOf({ name, ofRun, keyNames, otherNames }: EngineTable): string {
  return upsertSql(name, ofRun ? ["run_no", ...keyNames] : keyNames, otherNames);
}

/** Subselect that turns a run id into its number. */
export const RUN_NO = "(SELECT run_no FROM _service_runs WHERE run_id = ?)";

/** The first place of a run. Parameter: its id. */
export const FIRST_PLACE = `${RUN_NO} * ${PLACES_OF_RUN}`;

/** An upsert that begins with a run's number, for a run that has none yet. */
export function ofNewRun(runId: string, upsert: (runNo: number) => Statement): Statement {
  const { sql, params } = upsert(0);
  return { sql: sql.replace("VALUES (?", `VALUES (${RUN_NO}`), params: [runId, ...params.slice(1)] };
}
