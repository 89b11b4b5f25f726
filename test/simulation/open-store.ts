import { createPostgresDb, type PostgresPlace } from "../../src/store/create-postgres-db.js";
import { createSqliteDb } from "../../src/store/create-sqlite-db.js";
import { ServiceDb } from "../../src/store/service-db.js";
import type { Store } from "../../src/store/contract.js";
import { createPostgresDatabase } from "../support/postgres/database.js";
import { schemas } from "./build.js";

export const STORES = ["sqlite", "postgres", "pglite"] as const;
export type StoreName = (typeof STORES)[number];

/** An empty database with the tables of the simulated workflows. */
export interface SimulatedDatabase {
  readonly store: Store;
  readonly db: ServiceDb;
  /** Its rows are gone. */
  close(): Promise<void>;
}

export async function openStore(name: StoreName): Promise<SimulatedDatabase> {
  if (name === "pglite") return openPostgres({ provider: "pglite" });
  if (name === "sqlite") {
    const { db, store } = createSqliteDb({ path: ":memory:", schemas, synchronous: "normal" });
    await store.prepare();
    return { store, db: new ServiceDb(db), close: async () => store.close() };
  }
  const database = await createPostgresDatabase();
  const opened = await openPostgres({ provider: "postgres", connectionString: database.url });
  return {
    ...opened,
    async close() {
      await opened.close();
      await database.remove();
    },
  };
}

async function openPostgres(place: PostgresPlace): Promise<SimulatedDatabase> {
  const { db, store, prepare } = createPostgresDb(place, schemas);
  await prepare();
  return { store, db: new ServiceDb(db), close: () => store.close() };
}
