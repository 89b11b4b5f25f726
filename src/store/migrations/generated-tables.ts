import { ServiceError } from "../../errors/service-error.js";
import { registerColumn, registerTable, unregisterTable } from "../repositories/catalogue.js";
import type { Statement } from "../sql-port.js";
import { type ColumnSpec, KIND_NAME, SQL_TYPE } from "../tables/column.js";
import { type DerivedTables, INPUT_KEY } from "../tables/derive-tables.js";
import type { ColumnKind } from "../tables/field-type.js";
import { quoteName } from "../tables/names.js";
import type { DdlWords } from "./dialect.js";

/** A table that the schema wants. */
export interface WantedTable {
  key: string;
  tableName: string;
  columns: readonly ColumnSpec[];
}

/** Columns a database has, per table, with the kind the catalogue states for each. */
export type ExistingTables = ReadonlyMap<string, ReadonlyMap<string, ColumnKind | undefined>>;

/** A column whose stored values another kind of column cannot hold. */
export interface ColumnConflict {
  tableName: string;
  column: string;
  from: ColumnKind;
  to: ColumnKind;
}

export function wantedTables({ input, outputs }: DerivedTables): WantedTable[] {
  const tables: WantedTable[] = [{ key: INPUT_KEY, tableName: input.tableName, columns: input.columns }];
  for (const codec of outputs.values()) {
    tables.push({ key: codec.outputKey, tableName: codec.tableName, columns: codec.columns });
  }
  return tables;
}

/** Columns that changed their type. They matter only in tables that have rows. */
export function findConflicts(wanted: readonly WantedTable[], existing: ExistingTables): ColumnConflict[] {
  const conflicts: ColumnConflict[] = [];
  for (const { tableName, columns } of wanted) {
    for (const { column, kind } of columns) {
      const from = existing.get(tableName)?.get(column);
      if (from !== undefined && from !== kind) conflicts.push({ tableName, column, from, to: kind });
    }
  }
  return conflicts;
}

/** @throws DB_SCHEMA_CONFLICT naming table, column, old and new type. */
export function refuseConflicts(conflicts: readonly ColumnConflict[], path: string): void {
  if (conflicts.length === 0) return;
  const list = conflicts.map(
    ({ tableName, column, from, to }) =>
      `${tableName}.${column} was ${KIND_NAME[from]} and is now ${KIND_NAME[to]}`,
  );
  throw new ServiceError(
    "DB_SCHEMA_CONFLICT",
    `The schema does not fit the rows in ${path}: ${list.join("; ")}.`,
    {
      details: { path, conflicts },
    },
  );
}

/**
 * What makes the database hold the wanted tables. New columns are added, columns
 * without a field are left alone: several workflows may share one database, each
 * with fields of its own. `empty` names tables that may be made anew.
 * @throws DB_MISSING_COLUMNS for a table of this name that is none of ours
 */
export function tableStatements(
  wanted: readonly WantedTable[],
  existing: ExistingTables,
  { empty, words }: { empty: ReadonlySet<string>; words: DdlWords },
): Statement[] {
  return wanted.flatMap((table) => {
    const present = existing.get(table.tableName);
    if (present === undefined) return createTable(table, words);
    if (empty.has(table.tableName)) return [...dropTable(table.tableName), ...createTable(table, words)];
    checkAddress(table, present);
    return table.columns
      .filter(({ column }) => !present.has(column))
      .flatMap((column, index) => addColumn(table, column, present.size + index));
  });
}

function createTable(table: WantedTable, words: DdlWords): Statement[] {
  const address = addressOf(table).map(
    (name) => `${name} ${name === "iteration" ? words.integer : "TEXT"} NOT NULL`,
  );
  const columns = table.columns.map(({ column, kind }) => `${quoteName(column)} ${SQL_TYPE[kind]}`);
  const key = `PRIMARY KEY (${addressOf(table).join(", ")})`;
  // Rows of bounded size live in the key's tree; long texts would only be pushed out of it again.
  const option = table.columns.every(({ kind }) => SQL_TYPE[kind] !== "TEXT") ? words.compact : "";
  return [
    {
      sql: `CREATE TABLE ${quoteName(table.tableName)} (${[...address, ...columns, key].join(", ")}) ${option}`,
      params: [],
    },
    registerTable(table.tableName, table.key),
    ...table.columns.map((column, position) => registerColumn(table.tableName, column, position)),
  ];
}

function dropTable(tableName: string): Statement[] {
  return [{ sql: `DROP TABLE ${quoteName(tableName)}`, params: [] }, ...unregisterTable(tableName)];
}

function addColumn(table: WantedTable, column: ColumnSpec, position: number): Statement[] {
  const sql = `ALTER TABLE ${quoteName(table.tableName)} ADD COLUMN ${quoteName(column.column)} ${SQL_TYPE[column.kind]}`;
  return [{ sql, params: [] }, registerColumn(table.tableName, column, position)];
}

function checkAddress(table: WantedTable, present: ReadonlyMap<string, unknown>): void {
  const missing = addressOf(table).filter((name) => !present.has(name));
  if (missing.length === 0) return;
  throw new ServiceError(
    "DB_MISSING_COLUMNS",
    `The database has a table "${table.tableName}" that was not made for output "${table.key}": it lacks ${missing.join(", ")}.`,
    { details: { tableName: table.tableName, columns: missing } },
  );
}

function addressOf({ key }: WantedTable): string[] {
  return key === INPUT_KEY ? ["run_id"] : ["run_id", "node_id", "iteration"];
}
