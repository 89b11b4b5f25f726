import { describe, expect, it } from "vitest";
import { versions } from "../../src/store/migrations/migrate.js";
import { schemas } from "../conformance/store/fixtures.js";
import { bundleScript, runScript } from "./support/bundled-process.js";
import { databasePath, openStore } from "./support/database.js";

describe("processes that open one new database at the same time", () => {
  it("make its tables once, and win each run once", async () => {
    const path = databasePath();
    const script = await bundleScript("claim-script.ts");
    const owners = ["p0", "p1", "p2", "p3", "p4", "p5"];
    const won = await Promise.all(owners.map((owner) => runScript(script, path, owner, "25")));
    expect(won.map(Number).reduce((sum, count) => sum + count, 0)).toBe(25);

    const store = openStore(path, schemas);
    const { db } = store.connection.use();
    expect(db.prepare("SELECT count(*) FROM _service_migrations").pluck().get()).toBe(versions.length);
    const runs = store.listRuns({ limit: 100 });
    expect(runs).toHaveLength(25);
    for (const run of runs) expect(run).toMatchObject({ epoch: 1, frameNo: 1 });
  });
});
