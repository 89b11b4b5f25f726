import { afterAll } from "vitest";
import { SqlStore } from "../../../src/store/logic/store.js";
import { PgliteDriver } from "../../../src/store/pglite/driver.js";
import { PostgresConnection } from "../../../src/store/postgres/connection.js";
import type { Driver } from "../../../src/store/postgres/driver.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { schemas } from "../../conformance/store/fixtures.js";
import { storeConformance } from "../../conformance/store/store-conformance.js";
import { EMPTY_DATABASE } from "../../support/postgres/empty.js";

/** One for all tests: it takes seconds to begin. */
let started: Promise<PgliteDriver> | undefined;
const start = () => {
  started ??= PgliteDriver.open(undefined);
  return started;
};
let databases = 0;

afterAll(async () => (await started)?.close());

storeConformance("PGlite", () => {
  databases += 1;
  const path = `pglite:test ${databases}`;
  const stores: SqlStore<"later">[] = [];
  return {
    open(wanted = schemas) {
      const connection = new PostgresConnection({
        name: "pglite",
        path,
        waitMs: 30_000,
        mayCreate: true,
        readOnly: false,
        open: async () => kept(await start()),
      });
      const store = new SqlStore<"later">(connection, deriveTables(wanted));
      stores.push(store);
      return store;
    },
    async dispose() {
      await Promise.all(stores.map((store) => store.close()));
      const driver = await start();
      await driver.withSession((session) => session.send([{ text: EMPTY_DATABASE, values: [] }]));
    },
  };
});

/** The driver, which its handles do not close. */
function kept(driver: Driver): Driver {
  return {
    withSession: (body) => driver.withSession(body),
    listen: (channel, listener) => driver.listen(channel, listener),
    close: async () => {},
  };
}
