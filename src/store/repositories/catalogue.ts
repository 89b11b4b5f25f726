import { outputColumnTable, outputTableTable } from "../engine-tables/catalogue.js";
import type { Query, SqlRow, Statement } from "../sql-port.js";
import type { ColumnSpec } from "../tables/column.js";
import { insertAlone } from "./rows.js";

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
    sql: `SELECT ${outputTableTable.names("t")}, ${outputColumnTable.names("c")}
      FROM _service_output_tables t LEFT JOIN _service_output_columns c ON c.table_name = t.table_name
      ORDER BY length(t.table_name), t.table_name, c.position`,
    params: [],
    read: toCatalogue,
  };
}

function toCatalogue(rows: readonly SqlRow[]): Catalogue {
  const tables = new Map<string, CataloguedTable>();
  for (const values of rows) {
    const described = outputTableTable.read(values);
    const table = tables.get(described.tableName) ?? { ...described, columns: [] };
    tables.set(table.tableName, table);
    if (values[outputTableTable.width] === null) continue;
    const {
      tableName: _tableName,
      position: _position,
      ...column
    } = outputColumnTable.read(values, {
      at: outputTableTable.width,
    });
    table.columns.push({ ...column, valueKind: column.kind });
  }
  return tables;
}

const INSERT_TABLE = insertAlone(outputTableTable);
const INSERT_COLUMN = insertAlone(outputColumnTable);

export function registerTable(tableName: string, schemaKey: string): Statement {
  return { sql: INSERT_TABLE, params: outputTableTable.write({ tableName, schemaKey, isChecksummed: true }) };
}

export function registerColumn(tableName: string, column: ColumnSpec, position: number): Statement {
  return { sql: INSERT_COLUMN, params: outputColumnTable.write({ ...column, tableName, position }) };
}

export function markChecksummed(tableName: string): Statement {
  return {
    sql: "UPDATE _service_output_tables SET checksummed = 1 WHERE table_name = ?",
    params: [tableName],
  };
}
