import { createRequire } from "node:module";
import type { PgColumnBuilderBase } from "drizzle-orm/pg-core";
import { MAX_OUTPUT_DEPTH } from "../limits.js";
import type { SqlValue } from "../sql-port.js";
import { type ColumnSpec, columnDecoder, columnEncoder } from "./column.js";
import { INPUT_KEY } from "./derive-tables.js";
import { refuseDrizzleValue } from "./drizzle-table.js";

/** drizzle is loaded with the first table that is looked into, not with the library. */
const require = createRequire(import.meta.url);

/** A generated table on Postgres as drizzle describes it. */
export function postgresTable(key: string, tableName: string, columns: readonly ColumnSpec[]): object {
  const { pgTable, text, bigint, primaryKey } = pgCore();
  const fields = Object.fromEntries(
    columns.map((column) => [column.field || column.column, postgresColumn(column)]),
  );
  if (key === INPUT_KEY) return pgTable(tableName, { runId: text("run_id").primaryKey(), ...fields });
  const address = {
    runId: text("run_id").notNull(),
    nodeId: text("node_id").notNull(),
    iteration: bigint("iteration", { mode: "number" }).notNull(),
  };
  return pgTable(tableName, { ...address, ...fields }, (table) => [
    primaryKey({ columns: [table.runId, table.nodeId, table.iteration] }),
  ]);
}

function postgresColumn(spec: ColumnSpec): PgColumnBuilderBase {
  const { column, kind, optional, nullable } = spec;
  const { bigint, customType, doublePrecision, text } = pgCore();
  const required = !optional && !nullable;
  switch (kind) {
    case "text":
      return required ? text(column).notNull() : text(column);
    case "integer":
      return required ? bigint(column, { mode: "number" }).notNull() : bigint(column, { mode: "number" });
    case "real":
      return required ? doublePrecision(column).notNull() : doublePrecision(column);
    case "boolean":
    case "date":
    case "json":
    case "extra": {
      const stored = customType<{ data: unknown; driverData: SqlValue }>({
        dataType: () => (kind === "boolean" ? "bigint" : "text"),
        toDriver: columnEncoder(spec, { refuse: refuseDrizzleValue, maxDepth: MAX_OUTPUT_DEPTH }),
        fromDriver: columnDecoder(kind),
      })(column);
      return required && kind === "boolean" ? stored.notNull() : stored;
    }
  }
}

function pgCore(): typeof import("drizzle-orm/pg-core") {
  return require("drizzle-orm/pg-core") as typeof import("drizzle-orm/pg-core");
}
