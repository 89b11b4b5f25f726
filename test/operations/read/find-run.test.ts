import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { findRun } from "../../../src/operations/read/find-run.js";
import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import type { Store } from "../../../src/store/contract.js";

async function storeWith(...runIds: string[]): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-cli-"));
  const { store } = createSqliteDb({ path: join(folder, "service.db"), schemas: { row: z.object({}) } });
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [index, runId] of runIds.entries()) {
    await store.createRun({
      runId,
      parentRunId: null,
      workflowName: "w",
      workflowPath: null,
      workflowHash: null,
      config: { maxConcurrency: 4, requireRerenderOnOutputChange: true },
      input: {},
      ownerId: null,
      nowMs: 1_000 + index,
    });
  }
  return store;
}

describe("a reference to a run", () => {
  let store: Store;
  beforeEach(async () => {
    store = await storeWith("abc1", "abc2", "abc", "xyz9");
  });

  it("is an id, even if other ids start with it", async () => {
    expect((await findRun(store, "abc")).runId).toBe("abc");
  });

  it("is the unique start of an id", async () => {
    expect((await findRun(store, "xy")).runId).toBe("xyz9");
  });

  it("is latest, or -: the newest run", async () => {
    expect((await findRun(store, "latest")).runId).toBe("xyz9");
    expect((await findRun(store, "-")).runId).toBe("xyz9");
  });

  it("is the newest run, whatever has become of older ones; a newest one that cannot be read is named", async () => {
    const spoil = (runId: string) => {
      const db = new Database(store.path ?? "");
      db.prepare("UPDATE _service_runs SET status = 'bogus' WHERE run_id = ?").run(runId);
      db.close();
    };
    spoil("abc1");
    expect((await findRun(store, "latest")).runId).toBe("xyz9");
    spoil("xyz9");
    await expect(findRun(store, "latest")).rejects.toMatchObject({
      code: "STORAGE_ERROR",
      details: { runId: "xyz9" },
    });
  });

  it("that fits several ids lists them", async () => {
    await expect(findRun(store, "ab")).rejects.toEqual(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: { run: "ab", candidates: expect.arrayContaining(["abc", "abc1", "abc2"]) },
      }),
    );
  });

  it.each(["q", "", "%", "_bc1"])("that fits none (%j) is not found", async (reference) => {
    await expect(findRun(store, reference)).rejects.toEqual(
      expect.objectContaining({ code: "RUN_NOT_FOUND" }),
    );
  });

  it("latest is not found where there are no runs", async () => {
    await expect(findRun(await storeWith(), "latest")).rejects.toEqual(
      expect.objectContaining({ code: "RUN_NOT_FOUND" }),
    );
  });
});
