import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServiceError } from "../../src/errors/service-error.js";
import { codeOf, draft, newRun, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { holdLock } from "./support/lock-holder.js";

async function errorOf(call: () => unknown): Promise<ServiceError> {
  try {
    await call();
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
    const error = await errorOf(() => store.commit(step({ run: { frameNo: 1 } })));
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
    await store.commit(commit);
    expect(store.loadRun("run-1")).toMatchObject({ run: { frameNo: 1 }, outputs: [{ row: { text: "x" } }] });
  });

  it("is waited for", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    await holdLock(path, 200);
    await store.commit(step({ run: { frameNo: 1 } }));
    expect(store.getRun("run-1")?.frameNo).toBe(1);
  });

  it("is waited for without the thread: meanwhile reads answer, with what was there before", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    const lock = await holdLock(path);
    let isWritten = false;
    const writing = Promise.resolve(store.commit(step({ run: { frameNo: 1 } }))).then(() => {
      isWritten = true;
    });
    expect(store.getRun("run-1")?.frameNo).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(store.loadRun("run-1")?.run.frameNo).toBe(0);
    expect(isWritten).toBe(false);
    await lock.release();
    await writing;
    expect(store.getRun("run-1")?.frameNo).toBe(1);
  });

  it("lets writes through in the order in which they came", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    const lock = await holdLock(path);
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const sent = names.map((name) =>
      store.submitIntent({ runId: "run-1", intent: { kind: "signal", name, data: null }, createdAtMs: 1 }),
    );
    await lock.release();
    const ids = (await Promise.all(sent)) as number[];
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(store.pendingIntents("run-1").map(({ intent }) => "name" in intent && intent.name)).toEqual(names);
  });

  it("refuses every write that has waited too long, and none that came later before its time", async () => {
    const path = databasePath();
    const store = openStore(path, schemas, { busyTimeoutMs: 400 });
    store.createRun(newRun());
    const lock = await holdLock(path);
    const send = () =>
      codeOf(() => store.submitIntent({ runId: "run-1", intent: { kind: "cancel" }, createdAtMs: 1 }));
    expect(await Promise.all([send(), send()])).toEqual(["DB_BUSY", "DB_BUSY"]);
    const late = send();
    await lock.release();
    expect(await late).toBeUndefined();
  });

  it("does not outlive the handle", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    await holdLock(path);
    const writing = codeOf(() => store.commit(step({ run: { frameNo: 1 } })));
    store.close();
    expect(await writing).toBe("DB_BUSY");
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
