import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServiceError } from "../../src/errors/service-error.js";
import { codeOf, draft, newRun, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { holdLock } from "./support/lock-holder.js";

function errorOf(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("nothing failed");
}

describe("a database that another process has locked", () => {
  it("refuses writes after the waiting time with DB_BUSY, and says that it is locked", async () => {
    const path = databasePath();
    const store = openStore(path, schemas, { busyTimeoutMs: 50 });
    store.createRun(newRun());
    await holdLock(path);
    const error = errorOf(() => store.commit(step({ run: { frameNo: 1 } })));
    expect(error.code).toBe("DB_BUSY");
    expect(error.message).toMatch(/another process kept it locked/);
    expect(error.details).toEqual({ path, sqliteCode: "SQLITE_BUSY" });
  });

  it("can still be read", async () => {
    const path = databasePath();
    const store = openStore(path, schemas, { busyTimeoutMs: 50 });
    store.createRun(newRun());
    await holdLock(path);
    expect(store.loadRun("run-1")?.run.status).toBe("running");
  });

  it("takes the same commit once the lock is gone", async () => {
    const path = databasePath();
    const store = openStore(path, schemas, { busyTimeoutMs: 50 });
    store.createRun(newRun());
    const lock = await holdLock(path);
    const commit = step({ run: { frameNo: 1 }, outputs: [draft(store, "a", { text: "x", words: 1 })] });
    expect(await codeOf(() => store.commit(commit))).toBe("DB_BUSY");
    await lock.release();
    store.commit(commit);
    expect(store.loadRun("run-1")).toMatchObject({ run: { frameNo: 1 }, outputs: [{ row: { text: "x" } }] });
  });

  it("is waited for", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    await holdLock(path, 200);
    // The holder lets go by itself while this thread is blocked.
    store.commit(step({ run: { frameNo: 1 } }));
    expect(store.getRun("run-1")?.frameNo).toBe(1);
  });

  it("is waited for at opening as well", async () => {
    const path = databasePath();
    openStore(path, schemas).createRun(newRun());
    await holdLock(path, 200);
    const wider = openStore(path, { ...schemas, another: z.object({ text: z.string() }) });
    wider.prepare();
    expect(wider.listOutputTables().map(({ outputKey }) => outputKey)).toContain("another");
  });
});
