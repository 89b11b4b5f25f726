import { createSqliteDb, type SqliteDb, type SqliteDbOptions } from "../../src/store/create-sqlite-db.js";
import type { SqlStore } from "../../src/store/logic/store.js";
import { openExisting } from "../../src/store/open-existing.js";
import type { SyncSqlPort } from "../../src/store/sql-port.js";
import type { SqliteStore } from "../../src/store/sqlite/store.js";

/** A SQLite store as it is while no other process keeps its database locked: every answer is there at once. */
export type QuietStore = SqlStore<"now"> &
  Pick<SqliteStore, "connection" | "beatWhileBlocked"> & { readonly sql: SyncSqlPort };

export function quiet(store: unknown): QuietStore {
  return store as QuietStore;
}

interface QuietDb extends Omit<SqliteDb, "store"> {
  store: QuietStore;
}

/** `createSqliteDb` of a database that only the test uses. */
export function quietDb(options: SqliteDbOptions): QuietDb {
  return createSqliteDb(options) as unknown as QuietDb;
}

/** `openExisting` of a database that only the test uses. */
export function quietExisting(...about: Parameters<typeof openExisting>): QuietStore {
  return quiet(openExisting(...about));
}
