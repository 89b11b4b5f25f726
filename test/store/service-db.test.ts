import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteDb } from "../../src/store/create-sqlite-db.js";
import { ServiceDb } from "../../src/store/service-db.js";
import { codeOf, newRun, schemas } from "../conformance/store/fixtures.js";
import { databasePath } from "./support/database.js";

describe("ServiceDb", () => {
  it("finds the store of a drizzle handle without opening the database", () => {
    const path = databasePath();
    const { db, store } = createSqliteDb({ path, schemas });
    const adapter = new ServiceDb(db);
    expect(adapter.store).toBe(store);
    expect(adapter.path).toBe(path);
    expect(existsSync(path)).toBe(false);
  });

  it("is made of another ServiceDb or of a store", () => {
    const { db, store } = createSqliteDb({ path: ":memory:", schemas });
    expect(new ServiceDb(new ServiceDb(db)).store).toBe(store);
    expect(new ServiceDb(store).store).toBe(store);
  });

  it.each([[undefined], [null], ["service.db"], [{}], [{ select: () => [] }]])("refuses %j", async (db) => {
    expect(await codeOf(() => new ServiceDb(db))).toBe("DB_REQUIRES_RUNTIME_SQLITE");
  });

  it("shares one connection with the drizzle handle", () => {
    const { db, store } = createSqliteDb({ path: databasePath(), schemas });
    onTestFinished(() => store.close());
    new ServiceDb(db).store.createRun(newRun());
    expect(db.all("SELECT run_id FROM _service_runs")).toEqual([{ run_id: "run-1" }]);
  });
});
