import { expect, it } from "vitest";
import { newRun, schemas, step } from "../conformance/store/fixtures.js";
import { quietDb } from "../support/quiet-store.js";
import { databasePath } from "./support/database.js";

it("the waiting time for locks is short for the store's writes, and as it was asked for queries of one's own", () => {
  const { db, store } = quietDb({ path: databasePath(), schemas, busyTimeoutMs: 7_000 });
  const waitMs = () => store.connection.use().db.pragma("busy_timeout", { simple: true });
  store.createRun(newRun());
  expect(waitMs()).toBe(20);
  expect((db as unknown as { all(sql: string): unknown[] }).all("PRAGMA busy_timeout")).toEqual([
    { timeout: 7_000 },
  ]);
  store.commit(step({ run: { frameNo: 1 } }));
  expect(waitMs()).toBe(20);
  store.close();
});
