import type { Query, Statement } from "../sql-port.js";
import type { ColumnSpec } from "../tables/column.js";
import type { ColumnKind } from "../tables/field-type.js";

/** A generated table as the database describes it, readable without the workflow that declared it. */
export interface CataloguedTable {
  tableName: string;
  /** Schema key of the workflow that created the table. */
  schemaKey: string;
  columns: ColumnSpec[];
}

/** All generated tables by name, columns in order of their arrival. */
export function catalogue(): Query<Map<string, CataloguedTable>> {
  return {
    sql: `SELECT t.table_name, t.schema_key, c.column_name, c.field, c.kind, c.optional, c.nullable
      FROM _service_output_tables t LEFT JOIN _service_output_columns c ON c.table_name = t.table_name
      ORDER BY t.table_name, c.position`,
    params: [],
    read: (rows) => {
      const tables = new Map<string, CataloguedTable>();
      for (const [tableName, schemaKey, column, field, kind, optional, nullable] of rows) {
        const name = tableName as string;
        const table = tables.get(name) ?? { tableName: name, schemaKey: schemaKey as string, columns: [] };
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
    sql: "INSERT INTO _service_output_tables (table_name, schema_key) VALUES (?, ?)",
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

export function unregisterTable(tableName: string): Statement[] {
  return ["_service_output_columns", "_service_output_tables"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE table_name = ?`,
    params: [tableName],
  }));
}
