import type { Query, Statement } from "../sql-port.js";
import type { ColumnSpec } from "../tables/column.js";
import type { ColumnKind } from "../tables/field-type.js";

/** A generated table as the database describes it, readable without the workflow that declared it. */
export interface CataloguedTable {
  tableName: string;
  /** Schema key of the workflow that created the table. */
  schemaKey: string;
  /** Whether its rows may have a checksum. */
  isChecksummed: boolean;
  columns: ColumnSpec[];
}

export type Catalogue = ReadonlyMap<string, CataloguedTable>;

/** All generated tables by name, in order of their arrival, as are the columns of each. */
export function catalogue(): Query<Catalogue> {
  return {
    sql: `SELECT t.table_name, t.schema_key, t.checksummed, c.column_name, c.field, c.kind, c.optional, c.nullable
      FROM _service_output_tables t LEFT JOIN _service_output_columns c ON c.table_name = t.table_name
      ORDER BY length(t.table_name), t.table_name, c.position`,
    params: [],
    read: (rows) => {
      const tables = new Map<string, CataloguedTable>();
      for (const [tableName, schemaKey, checksummed, column, field, kind, optional, nullable] of rows) {
        const name = tableName as string;
        const table = tables.get(name) ?? {
          tableName: name,
          schemaKey: schemaKey as string,
          isChecksummed: checksummed === 1,
          columns: [],
        };
        tables.set(name, table);
        if (column === null) continue;
        table.columns.push({
          column: column as string,
          field: field as string,
          kind: kind as ColumnKind,
          valueKind: kind as ColumnKind,
          optional: optional === 1,
          nullable: nullable === 1,
        });
      }
      return tables;
    },
  };
}

export function registerTable(tableName: string, schemaKey: string): Statement {
  return {
    sql: "INSERT INTO _service_output_tables (table_name, schema_key, checksummed) VALUES (?, ?, 1)",
    params: [tableName, schemaKey],
  };
}

export function registerColumn(tableName: string, column: ColumnSpec, position: number): Statement {
  const { optional, nullable } = column;
  return {
    sql: `INSERT INTO _service_output_columns
      (table_name, column_name, field, position, kind, optional, nullable) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [
      tableName,
      column.column,
      column.field,
      position,
      column.kind,
      optional ? 1 : 0,
      nullable ? 1 : 0,
    ],
  };
}

export function markChecksummed(tableName: string): Statement {
  return {
    sql: "UPDATE _service_output_tables SET checksummed = 1 WHERE table_name = ?",
    params: [tableName],
  };
}
