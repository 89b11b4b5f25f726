import { createRequire } from "node:module";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { $ZodType } from "zod/v4/core";
import { ServiceError } from "../errors/service-error.js";
import type { Awaitable } from "../util/awaitable.js";
import type { OutputTable, SchemaMap } from "../model/schema.js";
import { lazyObject } from "./lazy-object.js";
import { registerHandle, ServiceDb } from "./service-db.js";
import type { SqliteOptions } from "./sqlite/options.js";
import { SqliteStore } from "./sqlite/store.js";
import { deriveTables, type DerivedTables, INPUT_KEY, withCompositeRows } from "./tables/derive-tables.js";
import { drizzleTables } from "./tables/drizzle-table.js";
import { type IgnoredRule, ignoredRules } from "./tables/ignored-rules.js";

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
    const lender = lenders.get(db);
    if (lender !== undefined) return lender as BetterSQLite3Database;
    const { drizzle } = require("drizzle-orm/better-sqlite3") as typeof import("drizzle-orm/better-sqlite3");
    store.prepare();
    return drizzle(store.connection.use().db);
  };
  const db: BetterSQLite3Database = lazyObject(open, {}, () => {
    if (!lenders.has(db)) store.connection.port.waitAsAsked();
  });
  registerHandle(db, store);
  definitions.set(db, schemas);
  return { db, store, tables: drizzleTables(derived, (key) => tableNameNow(store, key)), derived };
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

/** The schemas behind each handle, so that a test can put the same workflow on a database of its own. */
const definitions = new WeakMap<object, SchemaMap>();

/** By the handles that use another one's connection, that one. */
const lenders = new WeakMap<object, object>();

/** The schemas behind a handle, `input` among them; undefined for a handle of another kind. */
export function schemasOf(db: unknown): SchemaMap | undefined {
  return typeof db === "object" && db !== null ? definitions.get(db) : undefined;
}

/**
 * From now on a handle and its ServiceDb lead to what another one has opened, which has the same tables. One
 * that was used before keeps its own connection.
 */
export function lendDatabase(from: object, to: object): void {
  lenders.set(to, from);
  registerHandle(to, new ServiceDb(from).store);
}

/**
 * Outputs that another generation of a workflow declares besides those of the one that runs: their tables are made, and their rows
 * are written by their schema.
 * @param keys of outputs of `from`
 * @throws DB_SCHEMA_CONFLICT where the rows of a running workflow do not fit, DB_MISSING_COLUMNS for the name of a
 *   table that is no workflow's, and what the database throws; then nothing has changed
 */
export function declareOutputs(to: object, from: object, keys: readonly string[]): Awaitable<void> {
  const { store } = new ServiceDb(to);
  const schemas = definitions.get(from);
  if (schemas === undefined || !(store instanceof SqliteStore) || keys.length === 0) return;
  const more = Object.fromEntries(keys.map((key) => [key, schemas[key]])) as SchemaMap;
  return store.declareOutputs(deriveTables(more).outputs);
}

/** The input schema behind a workflow's handle; undefined without one, and for a handle of another kind. */
export function inputSchemaOf(db: unknown): SchemaMap[string] | undefined {
  return schemasOf(db)?.[INPUT_KEY];
}

/** Rules of the input schema behind a workflow's handle that do not act; none for a handle of another kind. */
export function ignoredInputRules(db: unknown): IgnoredRule[] {
  const input = inputSchemaOf(db);
  return input === undefined ? [] : ignoredRules(input as unknown as $ZodType);
}

/**
 * The same tables on another file, usually `:memory:`.
 * @throws DB_REQUIRES_RUNTIME_SQLITE for a handle that createSqliteDb has not made
 */
export function twinDb(db: object, path: string): SqliteDb {
  const schemas = definitions.get(db);
  if (schemas !== undefined) return createSqliteDb({ path, schemas });
  throw new ServiceError(
    "DB_REQUIRES_RUNTIME_SQLITE",
    "Only a workflow of createService can be put on another database.",
  );
}

/**
 * The store of a database that must exist already, without any workflow's
 * schema. Generated tables are read by what the database itself says about them;
 * `codec` and writing output rows need a schema.
 * @throws STORAGE_ERROR at the first use when there is no such file
 */
export function openExisting(path: string, options: { readOnly?: boolean } = {}): SqliteStore {
  return new SqliteStore({ path, create: "never", readOnly: options.readOnly ?? false });
}
