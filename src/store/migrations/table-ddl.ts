import type { Column } from "../columns/column.js";
import { NO_NULL } from "../columns/column.js";
import type { EngineTable } from "../columns/row-table.js";
import type { DdlWords } from "./dialect.js";

/** Statements that make a table of the engine with its indexes, by the description that its readers and writers use. */
export function tableDdl(table: EngineTable, words: DdlWords): string[] {
  const { name, storage } = table;
  const parts = [
    ...(table.ofRun ? [`run_no ${words.integer} NOT NULL`] : []),
    ...table.inOrder.map((column) => columnDdl(table, column, words)),
    ...keyDdl(table),
    ...(storage.unique === undefined ? [] : [`UNIQUE (${storage.unique.join(", ")})`]),
  ];
  const option = storage.isCompact === true ? ` ${words.compact}` : "";
  return [`CREATE TABLE ${name} (${parts.join(", ")})${option}`, ...indexesOf(table)];
}

/** Rows that are there already have the column's default, or NULL. */
export function addColumn(table: EngineTable, name: string, words: DdlWords): string {
  const column = table.inOrder.find((known) => known.name === name) as Column<unknown>;
  return `ALTER TABLE ${table.name} ADD COLUMN ${columnDdl(table, column, words)}`;
}

function indexesOf({ name, storage }: EngineTable): string[] {
  return Object.entries(storage.indexes ?? {}).map(([suffix, { on, where }]) => {
    const condition = where === undefined ? "" : ` WHERE ${where}`;
    return `CREATE INDEX ${name}_${suffix} ON ${name} (${on.join(", ")})${condition}`;
  });
}

function columnDdl({ storage }: EngineTable, column: Column<unknown>, words: DdlWords): string {
  const { name, nullIs, byDefault } = column;
  if (name === storage.serial) return `${name} ${words.serialKey}`;
  const isRequired = nullIs === NO_NULL ? " NOT NULL" : "";
  const otherwise = byDefault === undefined ? "" : ` DEFAULT ${byDefault}`;
  return `${name} ${typeOf(column, words)}${isRequired}${otherwise}`;
}

/** The database's word for a type of values. */
export function typeOf({ sqlType }: Pick<Column<unknown>, "sqlType">, words: DdlWords): string {
  const { text, integer, instant, real } = words;
  return { TEXT: text, INTEGER: integer, INSTANT: instant, REAL: real }[sqlType];
}

function keyDdl({ ofRun, keyNames, storage }: EngineTable): string[] {
  const names = ofRun && storage.isKeyOfAll !== true ? ["run_no", ...keyNames] : keyNames;
  if (storage.serial === undefined) return [`PRIMARY KEY (${names.join(", ")})`];
  return keyNames.includes(storage.serial) ? [] : [`UNIQUE (${names.join(", ")})`];
}
