import { count, flag, instant, oneOf, text, withDefault } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { COLUMN_KINDS, type ColumnKind } from "../tables/field-type.js";

/** The generated tables: which they are, and of what output. */
export const outputTableTable = new RowTable<{
  tableName: string;
  schemaKey: string;
  isChecksummed: boolean;
}>({
  name: "_service_output_tables",
  key: ["tableName"],
  ofRun: false,
  columns: {
    tableName: text("table_name"),
    schemaKey: text("schema_key"),
    isChecksummed: withDefault(flag("checksummed"), 0),
  },
});

export interface StoredColumn {
  tableName: string;
  column: string;
  field: string;
  position: number;
  kind: ColumnKind;
  optional: boolean;
  nullable: boolean;
}

/** How their columns are decoded, for readers without the workflow's schema. */
export const outputColumnTable = new RowTable<StoredColumn>({
  name: "_service_output_columns",
  key: ["tableName", "column"],
  ofRun: false,
  columns: {
    tableName: text("table_name"),
    column: text("column_name"),
    field: text("field"),
    position: count("position"),
    kind: oneOf("kind", COLUMN_KINDS),
    optional: flag("optional"),
    nullable: flag("nullable"),
  },
});

/** Migrations of the engine's tables that are done. */
export const migrationTable = new RowTable<{ version: number; name: string; appliedAtMs: number }>({
  name: "_service_migrations",
  key: ["version"],
  ofRun: false,
  columns: { version: count("version"), name: text("name"), appliedAtMs: instant("applied_at_ms") },
});
