import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/errors/service-error.js";
import { draft, newRun, node, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

describe("a full disk", () => {
  it("fails the commit as a whole with DB_WRITE_FAILED, and names the cause", () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    const { db } = store.connection.use();
    const pages = db.pragma("page_count", { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    const before = store.loadRun("run-1");
    const large = step({
      run: { frameNo: 1 },
      nodes: [node("a")],
      outputs: [draft(store, "a", { text: "x".repeat(100_000), words: 1 })],
    });
    let error: ServiceError | undefined;
    try {
      store.commit(large);
    } catch (thrown) {
      error = thrown as ServiceError;
    }
    expect(error?.code).toBe("DB_WRITE_FAILED");
    expect(error?.message).toMatch(/disk.* is full; free some space/);
    expect(error?.details).toEqual({ path, sqliteCode: "SQLITE_FULL" });
    expect(store.loadRun("run-1")).toEqual(before);

    db.pragma(`max_page_count = ${pages + 1000}`);
    store.commit(large);
    expect(store.loadRun("run-1")).toMatchObject({ run: { frameNo: 1 }, nodes: [{ nodeId: "a" }] });
  });
});
