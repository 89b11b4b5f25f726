import { createRequire } from "node:module";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { ServiceError } from "../errors/service-error.js";
import type { OutputTable, SchemaMap } from "../model/schema.js";
import { lazyObject } from "./lazy-object.js";
import type { SqliteOptions } from "./sqlite/options.js";
import { SqliteStore } from "./sqlite/store.js";
import { deriveTables, type DerivedTables, withCompositeRows } from "./tables/derive-tables.js";
import { drizzleTables } from "./tables/drizzle-table.js";
import { lenderOf, registerWorkflowHandle, schemasOf } from "./workflow-handles.js";

/** drizzle is loaded with the first query through `db`, not with the library. */
const require = createRequire(import.meta.url);

export interface SqliteDbOptions
  extends Pick<SqliteOptions, "path" | "journalMode" | "synchronous" | "busyTimeoutMs"> {
  schemas: SchemaMap;
}

export interface SqliteDb {
  /** drizzle on the same file; opens and prepares it at the first access. */
  db: BetterSQLite3Database;
  store: SqliteStore;
  /** Generated drizzle tables by schema key, and `input`. */
  tables: Record<string, OutputTable>;
  /** Columns, codecs and input validation of the same tables. */
  derived: DerivedTables;
}

/**
 * Store, drizzle handle and generated tables of one schema on one SQLite file.
 * Nothing is opened or created before the first use.
 * @throws SCHEMA_INCOMPATIBLE for a schema that cannot be stored
 */
export function createSqliteDb({ schemas, ...options }: SqliteDbOptions): SqliteDb {
  const derived = deriveTables(schemas);
  const store = new SqliteStore(options, withCompositeRows(derived));
  const open = () => {
    const lender = lenderOf(db);
    if (lender !== undefined) return lender as BetterSQLite3Database;
    const { drizzle } = require("drizzle-orm/better-sqlite3") as typeof import("drizzle-orm/better-sqlite3");
    store.prepare();
    return drizzle(store.connection.use().db);
  };
  const db: BetterSQLite3Database = lazyObject(open, {}, () => {
    if (lenderOf(db) === undefined) store.connection.port.waitAsAsked();
  });
  registerWorkflowHandle(db, { store, schemas });
  return {
    db,
    store,
    tables: drizzleTables(derived, { nameOf: (key) => tableNameNow(store, key) }),
    derived,
  };
}

/** @throws DB_BUSY where another process keeps even readers out */
function tableNameNow(store: SqliteStore, key: string): string | undefined {
  const name = store.tableName(key);
  if (!(name instanceof Promise)) return name;
  name.catch(() => {});
  throw new ServiceError(
    "DB_BUSY",
    `Another process keeps the database ${store.path} locked; try again later.`,
  );
}

/**
 * The same tables on another file, usually `:memory:`.
 * @throws DB_REQUIRES_RUNTIME_SQLITE for a handle that createSqliteDb has not made
 */
export function twinDb(db: object, path: string): SqliteDb {
  const schemas = schemasOf(db);
  if (schemas !== undefined) return createSqliteDb({ path, schemas });
  throw new ServiceError(
    "DB_REQUIRES_RUNTIME_SQLITE",
    "Only a workflow of createService can be put on another database.",
  );
}
