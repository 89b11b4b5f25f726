import { createRequire } from "node:module";
import { ServiceError } from "../errors/service-error.js";
import type { OutputTable, SchemaMap } from "../model/schema.js";
import { lazyObject } from "./lazy-object.js";
import type { SqlStore } from "./logic/store.js";
import { PgliteStore } from "./pglite/store.js";
import type { PostgresConnection } from "./postgres/connection.js";
import { PostgresStore } from "./postgres/store.js";
import type { PostgresConnectionOptions } from "./postgres-options.js";
import type { PostgresWorkflowDatabase } from "./workflow-database.js";
import { deriveTables, type DerivedTables, withCompositeRows } from "./tables/derive-tables.js";
import { drizzleTables } from "./tables/drizzle-table.js";
import { postgresTable } from "./tables/drizzle-postgres.js";
import { lenderOf, registerWorkflowHandle } from "./workflow-handles.js";

/** drizzle is loaded with the first query through `db`, not with the library. */
const require = createRequire(import.meta.url);

/** Where the database is. */
export type PostgresPlace =
  | ({ provider: "postgres" } & PostgresConnectionOptions)
  | { provider: "pglite"; dataDir?: string };

export interface PostgresDb {
  /** drizzle on the same database, for queries of one's own. */
  db: PostgresWorkflowDatabase;
  store: SqlStore<"later">;
  /** Generated drizzle tables by schema key, and `input`; known by their names once `prepare` is over. */
  tables: Record<string, OutputTable>;
  /** Columns, codecs and input validation of the same tables. */
  derived: DerivedTables;
  /** Connects, makes the tables, and looks up their names. */
  prepare(): Promise<void>;
}

/**
 * Store, drizzle handle and generated tables of one schema on a Postgres server or PGlite. Nothing is connected to
 * before the first use.
 * @throws SCHEMA_INCOMPATIBLE for a schema that cannot be stored, INVALID_INPUT for a connection string that is none
 */
export function createPostgresDb(
  place: PostgresPlace,
  schemas: SchemaMap,
  { ownQueries = true }: { ownQueries?: boolean } = {},
): PostgresDb {
  const derived = deriveTables(schemas);
  const all = withCompositeRows(derived);
  const store =
    place.provider === "pglite" ? new PgliteStore(place.dataDir, all) : new PostgresStore(place, all);
  const names = new Map<string, string>();
  const db: PostgresWorkflowDatabase = lazyObject<PostgresWorkflowDatabase>(() => {
    if (!ownQueries) throw noOwnQueries(store.path);
    return (lenderOf(db) as PostgresWorkflowDatabase | undefined) ?? drizzleOn(store.connection);
  });
  registerWorkflowHandle(db, { store, schemas });
  return {
    db,
    store,
    tables: drizzleTables(derived, { nameOf: (key) => names.get(key), build: postgresTable }),
    derived,
    async prepare() {
      await store.prepare();
      for (const key of ["input", ...derived.outputs.keys()]) {
        const name = await store.tableName(key);
        if (name !== undefined) names.set(key, name);
      }
    },
  };
}

function noOwnQueries(path: string): ServiceError {
  return new ServiceError(
    "DB_REQUIRES_RUNTIME_SQLITE",
    `The db of createService takes queries of SQLite, and the workflow's database is ${path}. createServicePostgres has a db for queries of Postgres.`,
    { details: { path } },
  );
}

/** Queries go the way of the store's: its pool, its values. */
function drizzleOn(connection: PostgresConnection): PostgresWorkflowDatabase {
  const { drizzle } = require("drizzle-orm/pg-proxy") as typeof import("drizzle-orm/pg-proxy");
  const db = drizzle(async (text, params: (string | number | null)[], method) => {
    const { rows, columns } = await connection.query(text, params);
    if (method !== "execute") return { rows: rows as unknown[] as never[] };
    return { rows: rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at], value]))) };
  });
  return db as unknown as PostgresWorkflowDatabase;
}
