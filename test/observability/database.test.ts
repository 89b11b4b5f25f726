import { describe, expect, it } from "vitest";
import { newRun, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "../store/support/database.js";
import { retryBusy } from "../../src/store/sqlite/retry-busy.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const names = [
  "service_db_query_ms_count",
  "service_db_transaction_ms_count",
  "service_db_transaction_rollbacks",
  "service_db_retries",
  "service_db_transaction_retries",
] as const;

function preparedStore() {
  const store = openStore(databasePath(), schemas);
  store.createRun(newRun());
  return store;
}

describe("the database's metrics", () => {
  it("count a read", () => {
    const store = preparedStore();
    const changes = watchMetrics();
    store.getRun("run-1");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 0, 0, 0]);
  });

  it("count several reads of one moment as one", () => {
    const store = preparedStore();
    // The first time also finds the tables of the run's workflow.
    store.loadRun("run-1");
    const changes = watchMetrics();
    store.loadRun("run-1");
    // Whose run it is, whether its tables have changed, and then everything at once.
    expect(Object.values(changesOf(changes, ...names))).toEqual([3, 0, 0, 0, 0]);
  });

  it("count a transaction", () => {
    const store = preparedStore();
    store.commit(step({ run: { frameNo: 1 } }));
    const changes = watchMetrics();
    store.commit(step({ run: { frameNo: 2 } }));
    expect(Object.values(changesOf(changes, ...names))).toEqual([0, 1, 0, 0, 0]);
  });

  it("count what is written without being a commit", () => {
    const store = preparedStore();
    const changes = watchMetrics();
    store.submitIntent({
      runId: "run-1",
      intent: { kind: "signal", name: "paid", data: {} },
      createdAtMs: 1,
    });
    expect(Object.values(changesOf(changes, ...names))).toEqual([0, 1, 0, 0, 0]);
  });

  it("count a transaction that is rolled back", () => {
    const store = preparedStore();
    const changes = watchMetrics();
    const stale = { runId: "run-1", ownerId: "somebody-else", epoch: 7 };
    expect(() => store.commit(step({ lease: stale, run: { frameNo: 1 } }))).toThrow();
    expect(changes.of("service_db_transaction_rollbacks")).toBe(1);
  });

  it("count each new try at a lock", () => {
    const changes = watchMetrics();
    const policy = { path: "service.db", busyTimeoutMs: 1000 };
    const busyTwice = () => {
      let tries = 0;
      return () => {
        tries += 1;
        if (tries < 3) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
      };
    };
    retryBusy("write", policy, busyTwice());
    retryBusy("read", policy, busyTwice());
    expect(changesOf(changes, "service_db_retries", "service_db_transaction_retries")).toEqual({
      service_db_retries: 4,
      service_db_transaction_retries: 2,
    });
  });
});
