import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteDb } from "../../src/store/create-sqlite-db.js";
import type { SqliteStore } from "../../src/store/sqlite/store.js";
import { schemas } from "../conformance/store/fixtures.js";
import { storeConformance } from "../conformance/store/store-conformance.js";

storeConformance("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-store-"));
  const stores: SqliteStore[] = [];
  return {
    open(wanted = schemas) {
      // Durability of each commit is not what these tests look at.
      const { store } = createSqliteDb({
        path: join(folder, "service.db"),
        schemas: wanted,
        synchronous: "normal",
      });
      stores.push(store);
      return store;
    },
    dispose() {
      for (const store of stores) store.close();
      rmSync(folder, { recursive: true });
    },
  };
});
