import type { ZodType } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { SqlRow, SqlValue, Statement } from "../sql-port.js";

/** JSON text of a value; NULL for null. */
export function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** The value of a JSON column; null for NULL. The writer of the column knew the type. */
export function fromJson<T>(text: SqlValue | undefined): T | null {
  return text === null || text === undefined ? null : (JSON.parse(text as string) as T);
}

/** Where a stored value lies, for the error about one that is not what was written there. */
export interface StoredPlace {
  table: string;
  /** What names the row: its id or address. */
  row: string | number;
  column: string;
}

/** The value of a JSON column that a schema describes. @throws STORAGE_ERROR */
export function storedJson<T>(schema: ZodType<T>, text: SqlValue, place: StoredPlace): T {
  return checkStored(schema, parseStored(text, place), place);
}

/** @throws STORAGE_ERROR for text that is not JSON */
export function parseStored(text: SqlValue, place: StoredPlace): unknown {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    const { table, row, column } = place;
    throw new ServiceError("STORAGE_ERROR", `Row ${row} of ${table}: ${column} is not JSON.`, {
      cause,
      details: { ...place },
    });
  }
}

/** @throws STORAGE_ERROR for a value that the schema does not describe */
export function checkStored<T>(schema: ZodType<T>, value: unknown, place: StoredPlace): T {
  const { table, row, column } = place;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new ServiceError(
    "STORAGE_ERROR",
    `Row ${row} of ${table}: ${column} is not what is written there: ${issues.join("; ")}.`,
    { details: { ...place, issues } },
  );
}

/**
 * The result of `decode`, which takes the row for what its writer meant.
 * @throws STORAGE_ERROR naming table and row, when that cannot have been it
 */
export function readRow<T>(tableName: string, row: SqlRow, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    // One that names its place already says more.
    if (ServiceError.is(cause, "STORAGE_ERROR") && cause.details?.["table"] !== undefined) throw cause;
    throw unreadable(tableName, row, cause);
  }
}

function unreadable(tableName: string, row: SqlRow, cause: unknown): ServiceError {
  const shown = row.slice(0, 4).map((value) => (typeof value === "string" ? value.slice(0, 80) : value));
  return new ServiceError(
    "STORAGE_ERROR",
    `A row of table ${tableName} cannot be read: it begins with ${JSON.stringify(shown)}.${ServiceError.is(cause) ? ` ${cause.summary}` : ""}`,
    { cause, retryable: false, details: { tableName, row: shown } },
  );
}

/** Reads every row of a table with `toValue`. @throws STORAGE_ERROR */
export function each<T>(tableName: string, toValue: (row: SqlRow) => T): (rows: readonly SqlRow[]) => T[] {
  return (rows) => rows.map((row) => readRow(tableName, row, () => toValue(row)));
}

/** Reads the only row of a table with `toValue`. @throws STORAGE_ERROR */
export function first<T>(
  tableName: string,
  toValue: (row: SqlRow) => T,
): (rows: readonly SqlRow[]) => T | undefined {
  return ([row]) => (row === undefined ? undefined : readRow(tableName, row, () => toValue(row)));
}

/** `?, ?, ?` */
export function placeholders(count: number): string {
  return Array(count).fill("?").join(", ");
}

/** Condition that a column has one of `count` values; an empty list matches nothing. */
export function isOneOf(column: string, count: number): string {
  return count === 0 ? "1 = 0" : `${column} IN (${placeholders(count)})`;
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

/** Subselect that turns a run id into its number. */
export const RUN_NO = "(SELECT run_no FROM _service_runs WHERE run_id = ?)";

/** An upsert that begins with a run's number, for a run that has none yet. */
export function ofNewRun(runId: string, upsert: (runNo: number) => Statement): Statement {
  const { sql, params } = upsert(0);
  return { sql: sql.replace("VALUES (?", `VALUES (${RUN_NO}`), params: [runId, ...params.slice(1)] };
}
