import { ServiceError } from "../../errors/service-error.js";
import {
  type CataloguedTable,
  markChecksummed,
  registerColumn,
  registerTable,
} from "../repositories/catalogue.js";
import type { Statement } from "../sql-port.js";
import { CHECKSUM_COLUMN } from "../tables/checksum.js";
import { type ColumnSpec, KIND_NAME, SQL_TYPE } from "../tables/column.js";
import { type DerivedTables, INPUT_KEY } from "../tables/derive-tables.js";
import type { ColumnKind } from "../tables/field-type.js";
import { quoteName } from "../tables/names.js";
import type { DdlWords } from "./dialect.js";
import { typeOf } from "./table-ddl.js";

/** A table that the schema wants. */
export interface WantedTable {
  key: string;
  /** Its name where nothing else has it. */
  tableName: string;
  columns: readonly ColumnSpec[];
}

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

/** Columns that changed their type. */
export function findConflicts({ columns }: WantedTable, table: CataloguedTable): ColumnConflict[] {
  return columns.flatMap(({ column, kind }) => {
    const from = table.columns.find((known) => known.column === column)?.kind;
    return from === undefined || from === kind ? [] : { tableName: table.tableName, column, from, to: kind };
  });
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

/** Whether the table is what the schema would make, so that workflows that do not know each other may share it. */
export function agrees({ columns }: WantedTable, table: CataloguedTable): boolean {
  if (columns.length !== table.columns.length) return false;
  return columns.every((wanted) => {
    const known = table.columns.find(({ column }) => column === wanted.column);
    return (
      known?.kind === wanted.kind && known.optional === wanted.optional && known.nullable === wanted.nullable
    );
  });
}

export function createTable(table: WantedTable, tableName: string, words: DdlWords): Statement[] {
  return [
    { sql: generatedTableDdl(table, tableName, words), params: [] },
    registerTable(tableName, table.key),
    ...table.columns.map((column, position) => registerColumn(tableName, column, position)),
  ];
}

/** The statement that makes the table. Those that are older than checksums have none. */
export function generatedTableDdl(
  table: WantedTable & { isChecksummed?: boolean },
  tableName: string,
  words: DdlWords,
): string {
  const address = addressOf(table).map(
    (name) => `${name} ${name === "iteration" ? words.integer : words.text} NOT NULL`,
  );
  const columns = table.columns.map(({ column, kind }) => `${quoteName(column)} ${sqlTypeOf(kind, words)}`);
  const checksum = table.isChecksummed !== false ? [`${CHECKSUM_COLUMN} ${words.integer}`] : [];
  const key = `PRIMARY KEY (${addressOf(table).join(", ")})`;
  // Rows of bounded size live in the key's tree; long texts would only be pushed out of it again.
  const option = table.columns.every(({ kind }) => SQL_TYPE[kind] !== "TEXT") ? words.compact : "";
  return `CREATE TABLE ${quoteName(tableName)} (${[...address, ...columns, ...checksum, key].join(", ")}) ${option}`;
}

/** Adds the parts that the table lacks: new columns are added, columns without a field are left alone. */
export function extendTable(wanted: WantedTable, table: CataloguedTable, words: DdlWords): Statement[] {
  const { tableName, columns, isChecksummed } = table;
  const statements = missingColumns(wanted, table).flatMap((column, index) => [
    addColumn(tableName, column.column, sqlTypeOf(column.kind, words)),
    registerColumn(tableName, column, columns.length + index),
  ]);
  if (isChecksummed) return statements;
  return [...statements, addColumn(tableName, CHECKSUM_COLUMN, words.integer), markChecksummed(tableName)];
}

export function missingColumns({ columns }: WantedTable, table: CataloguedTable): ColumnSpec[] {
  return columns.filter(({ column }) => !table.columns.some((known) => known.column === column));
}

function sqlTypeOf(kind: ColumnKind, words: DdlWords): string {
  return typeOf({ sqlType: SQL_TYPE[kind] }, words);
}

function addColumn(tableName: string, column: string, type: string): Statement {
  return {
    sql: `ALTER TABLE ${quoteName(tableName)} ADD COLUMN ${quoteName(column)} ${type}`,
    params: [],
  };
}

/**
 * For a table of the wanted name that the catalogue does not know.
 * @throws DB_MISSING_COLUMNS
 */
export function refuseForeignTable(table: WantedTable, present: readonly string[]): never {
  const columns = addressOf(table).filter((name) => !present.includes(name));
  throw new ServiceError(
    "DB_MISSING_COLUMNS",
    `The database has a table "${table.tableName}" that was not made for output "${table.key}": it lacks ${columns.join(", ") || "an entry in the catalogue"}.`,
    { details: { tableName: table.tableName, columns } },
  );
}

export function addressOf({ key }: Pick<WantedTable, "key">): string[] {
  return key === INPUT_KEY ? ["run_id"] : ["run_id", "node_id", "iteration"];
}
