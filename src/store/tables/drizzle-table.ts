import { createRequire } from "node:module";
import type { SQLiteColumnBuilderBase } from "drizzle-orm/sqlite-core";
import { ServiceError } from "../../errors/service-error.js";
import type { OutputTable } from "../../model/schema.js";
import { MAX_OUTPUT_DEPTH } from "../limits.js";
import { lazyObject } from "../lazy-object.js";
import type { SqlValue } from "../sql-port.js";
import { type ColumnSpec, columnDecoder, columnEncoder, SQL_TYPE } from "./column.js";
import { type DerivedTables, INPUT_KEY } from "./derive-tables.js";
import { formatPath } from "./names.js";
import type { Refuse } from "./tagged-json.js";

/** Under this symbol a generated table carries its schema key. */
const OUTPUT_KEY = Symbol.for("treadle.outputKey");

/** drizzle is loaded with the first table that a caller looks into, not with the library. */
const require = createRequire(import.meta.url);

/** The schema key of a generated table; undefined for anything else. */
export function outputKeyOfTable(table: unknown): string | undefined {
  if (typeof table !== "object" || table === null) return undefined;
  const key: unknown = Reflect.get(table, OUTPUT_KEY);
  return typeof key === "string" ? key : undefined;
}

export interface DrizzleOptions {
  /** Where the database has the table of a key, if not under the key's own name. */
  nameOf?: (key: string) => string | undefined;
  /** @default tables of SQLite */
  build?: (key: string, tableName: string, columns: readonly ColumnSpec[]) => object;
}

/** A drizzle table per schema key and one for `input`, built at first use. */
export function drizzleTables(
  { input, outputs }: DerivedTables,
  { nameOf = () => undefined, build = sqliteTableOf }: DrizzleOptions = {},
): Record<string, OutputTable> {
  const table = (
    key: string,
    { tableName, columns }: { tableName: string; columns: readonly ColumnSpec[] },
  ) => lazyObject<OutputTable>(() => build(key, nameOf(key) ?? tableName, columns), { [OUTPUT_KEY]: key });
  const tables: Record<string, OutputTable> = { [INPUT_KEY]: table(INPUT_KEY, input) };
  for (const [key, codec] of outputs) tables[key] = table(key, codec);
  return tables;
}

function sqliteTableOf(key: string, tableName: string, columns: readonly ColumnSpec[]): object {
  const { sqliteTable, text, integer, primaryKey } = sqliteCore();
  const fields = Object.fromEntries(
    columns.map((column) => [column.field || column.column, drizzleColumn(column)]),
  );
  if (key === INPUT_KEY) return sqliteTable(tableName, { runId: text("run_id").primaryKey(), ...fields });
  const address = {
    runId: text("run_id").notNull(),
    nodeId: text("node_id").notNull(),
    iteration: integer("iteration").notNull(),
  };
  return sqliteTable(tableName, { ...address, ...fields }, (table) => [
    primaryKey({ columns: [table.runId, table.nodeId, table.iteration] }),
  ]);
}

function drizzleColumn(spec: ColumnSpec): SQLiteColumnBuilderBase {
  const { column, kind, optional, nullable } = spec;
  const { text, integer, real, customType } = sqliteCore();
  const required = !optional && !nullable;
  switch (kind) {
    case "text":
      return required ? text(column).notNull() : text(column);
    case "integer":
      return required ? integer(column).notNull() : integer(column);
    case "real":
      return required ? real(column).notNull() : real(column);
    case "boolean":
      return required ? integer(column, { mode: "boolean" }).notNull() : integer(column, { mode: "boolean" });
    case "date":
    case "json":
    case "extra": {
      const encode = columnEncoder(spec, { refuse: refuseDrizzleValue, maxDepth: MAX_OUTPUT_DEPTH });
      return customType<{ data: unknown; driverData: SqlValue }>({
        dataType: () => SQL_TYPE[kind],
        toDriver: encode,
        fromDriver: columnDecoder(kind),
      })(column);
    }
  }
}

/** The error for a value that cannot be stored. */
export const refuseDrizzleValue: Refuse = (path, problem) =>
  new ServiceError("INVALID_OUTPUT", `Field "${formatPath(path)}" ${problem}.`, { retryable: false });

function sqliteCore(): typeof import("drizzle-orm/sqlite-core") {
  return require("drizzle-orm/sqlite-core") as typeof import("drizzle-orm/sqlite-core");
}
