import { PostgresStore } from "../../../src/store/postgres/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { schemas } from "../../conformance/store/fixtures.js";
import { storeConformance } from "../../conformance/store/store-conformance.js";
import { createPostgresDatabase } from "../../support/postgres/database.js";

storeConformance("Postgres", async () => {
  const database = await createPostgresDatabase();
  const stores: PostgresStore[] = [];
  return {
    open(wanted = schemas) {
      const store = new PostgresStore({ connectionString: database.url }, deriveTables(wanted));
      stores.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(stores.map((store) => store.close()));
      await database.remove();
    },
  };
});
