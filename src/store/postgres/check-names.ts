import { ServiceError } from "../../errors/service-error.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import { type WantedTable, wantedTables } from "../migrations/generated-tables.js";

/** Postgres cuts longer names off without an error. */
const MOST_BYTES = 63;
/** Of 1600 columns a few are the library's. */
const MOST_FIELDS = 1_590;
/** Columns that every table has. */
const TAKEN: ReadonlySet<string> = new Set(["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]);
/** The longest suffix of a table whose name another workflow's table has. */
const SUFFIX_BYTES = "__999".length;

/** @throws SCHEMA_INCOMPATIBLE naming output and field whose name Postgres cannot give a table or column */
export function checkNames(tables: DerivedTables): void {
  for (const table of wantedTables(tables)) checkTableNames(table);
}

/** @throws as `checkNames` */
export function checkTableNames({ key, tableName, columns }: WantedTable): void {
  if (Buffer.byteLength(tableName) + SUFFIX_BYTES > MOST_BYTES) {
    throw refused(
      `The name of output "${key}" is too long for a table of Postgres: at most ${MOST_BYTES - SUFFIX_BYTES} bytes as SQL has it`,
      key,
    );
  }
  if (columns.length > MOST_FIELDS) {
    throw refused(
      `Output "${key}" has ${columns.length} fields; a table of Postgres takes ${MOST_FIELDS}`,
      key,
    );
  }
  for (const { field, column } of columns) {
    if (Buffer.byteLength(column) > MOST_BYTES) {
      throw refused(
        `Output "${key}": the name of field "${field}" is too long for a column of Postgres: at most ${MOST_BYTES} bytes as SQL has it`,
        key,
      );
    }
    if (TAKEN.has(column)) {
      throw refused(
        `Output "${key}": field "${field}" has the name of a column that Postgres itself adds`,
        key,
      );
    }
  }
}

function refused(what: string, key: string): ServiceError {
  return new ServiceError("SCHEMA_INCOMPATIBLE", `${what}.`, {
    retryable: false,
    details: { outputKey: key },
  });
}
