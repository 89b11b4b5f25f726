import { describe, expect, it } from "vitest";
import type { RunWrite } from "../../src/store/contract.js";
import { codeOf, draft, newRun, node, schemas, step } from "../conformance/store/fixtures.js";
import { bundleScript, runUntilKilled } from "./support/bundled-process.js";
import { databasePath, openStore } from "./support/database.js";
import { holdLock } from "./support/lock-holder.js";

const runIds = ["a", "b", "c"];

function openWithRuns(options = {}) {
  const store = openStore(databasePath(), schemas, options);
  for (const runId of runIds) store.createRun(newRun({ runId }));
  /** A step of one run with a row of so many characters. */
  const write = (runId: string, length = 1): RunWrite => ({
    type: "commit",
    commit: step({
      lease: { runId, ownerId: "owner-1", epoch: 1 },
      run: { frameNo: 1 },
      nodes: [node("n")],
      outputs: [draft(store, "n", { text: "x".repeat(length), words: 1 })],
    }),
  });
  const frames = () => runIds.map((runId) => store.getRun(runId)?.frameNo);
  return { store, write, frames };
}

describe("a group of writes on SQLite", () => {
  it("is written without the run that does not fit on the disk", () => {
    const { store, write, frames } = openWithRuns();
    const { db } = store.connection.use();
    db.pragma(`max_page_count = ${(db.pragma("page_count", { simple: true }) as number) + 5}`);
    const outcomes = store.writeTogether([write("a"), write("b", 1_000_000), write("c")]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(outcomes[1]).toMatchObject({ error: { code: "DB_WRITE_FAILED" } });
    expect(frames()).toEqual([1, 0, 1]);
    db.pragma("max_page_count = 1000000");
    expect(store.writeTogether([write("b", 1_000_000)])).toEqual([{ ok: true }]);
  });

  it("fails as a whole when another process keeps the database locked", async () => {
    const { store, write, frames } = openWithRuns({ busyTimeoutMs: 20 });
    const lock = await holdLock(store.path);
    expect(await codeOf(() => store.writeTogether(runIds.map((runId) => write(runId))))).toBe("DB_BUSY");
    await lock.release();
    expect(frames()).toEqual([0, 0, 0]);
    expect(store.writeTogether(runIds.map((runId) => write(runId)))).toEqual(
      runIds.map(() => ({ ok: true })),
    );
    expect(frames()).toEqual([1, 1, 1]);
  });

  it("leaves nothing of any run when the process is killed in the middle of it", async () => {
    const { store, frames } = openWithRuns();
    await runUntilKilled(await bundleScript("killed-in-group.ts"), store.path, ...runIds);
    expect(frames()).toEqual([0, 0, 0]);
    expect(runIds.map((runId) => store.listNodes(runId))).toEqual([[], [], []]);
  });
});
