import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { Dialect } from "../logic/database.js";
import { SQLITE_WORDS } from "../migrations/dialect.js";
import type { Query } from "../sql-port.js";
import { read } from "../logic/work.js";
import { pageVectors } from "../repositories/memory-facts.js";
import { searchWords } from "./search-words.js";

export const SQLITE: Dialect = {
  name: "sqlite",
  words: SQLITE_WORDS,
  schemaVersion: numberOf("PRAGMA schema_version"),
  columnsOf: (tableName) => ({
    sql: "SELECT name FROM pragma_table_info(?)",
    params: [tableName],
    read: (rows) => rows.map(([name]) => name as string),
  }),
  allColumns: {
    sql: `SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
      WHERE t.type = 'table'
        AND (t.name NOT LIKE '\\_service\\_%' ESCAPE '\\' OR t.name = '${COMPOSITE_ROWS}')`,
    params: [],
    read: (rows) => new Set(rows.map(([table, column]) => `${table}.${column}`)),
  },
  // Of a damaged row nothing is known; it must not hide the others.
  jsonMember: (column, name) =>
    `CASE WHEN json_valid(${column}) THEN json_extract(${column}, '$.${name}') END`,
  searchWords,
  pageVectors: (page) => read(pageVectors(page)),
};

/** A number that changes when another connection wrote. */
export const DATA_VERSION = numberOf("PRAGMA data_version");

/** A number that changes when this connection wrote. */
export const TOTAL_CHANGES = numberOf("SELECT total_changes()");

function numberOf(sql: string): Query<number> {
  return { sql, params: [], read: (rows) => rows[0]?.[0] as number };
}
