import { afterAll } from "vitest";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { schemas } from "../../conformance/store/fixtures.js";
import { storeConformance } from "../../conformance/store/store-conformance.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../../support/postgres/database.js";
import { EMPTY_DATABASE } from "../../support/postgres/empty.js";

let created: Promise<PostgresDatabase> | undefined;

afterAll(async () => (await created)?.remove());

storeConformance("Postgres", async () => {
  created ??= createPostgresDatabase();
  const { url } = await created;
  const stores: PostgresStore[] = [];
  return {
    open(wanted = schemas) {
      const store = new PostgresStore({ connectionString: url }, deriveTables(wanted));
      stores.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(stores.map((store) => store.close()));
      await query(url, EMPTY_DATABASE);
    },
  };
});
