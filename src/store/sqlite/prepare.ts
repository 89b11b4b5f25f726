import type BetterSqlite3 from "better-sqlite3";
import { ServiceError } from "../../errors/service-error.js";
import { SQLITE_WORDS } from "../migrations/dialect.js";
import {
  type ExistingTables,
  findConflicts,
  refuseConflicts,
  tableStatements,
  type WantedTable,
} from "../migrations/generated-tables.js";
import {
  checkVersion,
  migrationStatements,
  NEWEST_VERSION,
  readVersionQuery,
} from "../migrations/migrate.js";
import { catalogue } from "../repositories/catalogue.js";
import type { Query } from "../sql-port.js";
import type { ColumnKind } from "../tables/field-type.js";
import { quoteName } from "../tables/names.js";
import type { ResolvedSqliteOptions } from "./options.js";
import type { SqlitePort } from "./port.js";

/**
 * Version of the engine tables; 0 in a database without them. Touches nothing,
 * so a database of a newer library is refused as it was.
 * @throws SERVICE_MIGRATION_REQUIRED
 */
export function readVersion(db: BetterSqlite3.Database, path: string): number {
  const known = db.prepare("SELECT 1 FROM sqlite_master WHERE name = '_service_migrations'").raw().all();
  if (known.length === 0) return 0;
  const rows = db.prepare(readVersionQuery.sql).raw().all() as [number][];
  const version = readVersionQuery.read(rows);
  checkVersion(version, path);
  return version;
}

/**
 * Whether this connection may do with the database what it is for.
 * @throws STORAGE_ERROR for a file without engine tables that may not get them,
 * SERVICE_MIGRATION_REQUIRED for engine tables of an older version in front of a reader
 */
export function checkUsable(version: number, { path, mayCreate, readOnly }: ResolvedSqliteOptions): void {
  if (version === 0 && !mayCreate) {
    throw new ServiceError("STORAGE_ERROR", `The database ${path} holds no runs.`, {
      retryable: false,
      details: { path },
    });
  }
  if (version === NEWEST_VERSION || !readOnly) return;
  throw new ServiceError(
    "SERVICE_MIGRATION_REQUIRED",
    `The database ${path} has engine tables of version ${version} and was opened for reading only; opening it for writing once brings them to version ${NEWEST_VERSION}.`,
    { details: { path, version, supported: NEWEST_VERSION } },
  );
}

/**
 * Brings engine tables and generated tables to what this library and this schema
 * want, in one transaction. A database that is already there is only read.
 */
export function prepareTables(
  db: BetterSqlite3.Database,
  port: SqlitePort,
  { path, wanted, nowMs }: { path: string; wanted: readonly WantedTable[]; nowMs: number },
): void {
  const isCurrent = () => readVersion(db, path) === NEWEST_VERSION && isCatalogued(port, wanted);
  if (isCurrent()) return;
  port.exclusive(() => {
    // Another process may have done the work while this one waited for the lock.
    if (isCurrent()) return;
    port.runAll(migrationStatements(readVersion(db, path), SQLITE_WORDS, nowMs));
    const existing = existingTables(port, wanted);
    const conflicts = findConflicts(wanted, existing);
    const empty = new Set(conflicts.map(({ tableName }) => tableName).filter((name) => isEmpty(port, name)));
    refuseConflicts(
      conflicts.filter(({ tableName }) => !empty.has(tableName)),
      path,
    );
    port.runAll(tableStatements(wanted, existing, { empty, words: SQLITE_WORDS }));
  });
}

/** Whether each wanted table and column is in the catalogue, with its kind. */
function isCatalogued(port: SqlitePort, wanted: readonly WantedTable[]): boolean {
  const tables = read(port, catalogue());
  return wanted.every(({ tableName, columns }) => {
    const present = tables.get(tableName)?.columns;
    return (
      present !== undefined &&
      columns.every(({ column, kind }) =>
        present.some((known) => known.column === column && known.kind === kind),
      )
    );
  });
}

/** The wanted tables that are there, as they are; the catalogue adds what SQL types do not tell. */
function existingTables(port: SqlitePort, wanted: readonly WantedTable[]): ExistingTables {
  const known = read(port, catalogue());
  const tables = new Map<string, Map<string, ColumnKind | undefined>>();
  for (const { tableName } of wanted) {
    const names = port
      .all("SELECT name FROM pragma_table_info(?)", [tableName])
      .map(([name]) => name as string);
    if (names.length === 0) continue;
    const kinds = new Map(known.get(tableName)?.columns.map(({ column, kind }) => [column, kind]));
    tables.set(tableName, new Map(names.map((name) => [name, kinds.get(name)])));
  }
  return tables;
}

function isEmpty(port: SqlitePort, tableName: string): boolean {
  return port.all(`SELECT 1 FROM ${quoteName(tableName)} LIMIT 1`, []).length === 0;
}

function read<T>(port: SqlitePort, { sql, params, read: toValue }: Query<T>): T {
  return toValue(port.all(sql, params));
}
