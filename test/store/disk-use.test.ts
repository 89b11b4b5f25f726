import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { attempt, events, firstLease, frame, newRun, node, step, T0 } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

const small = { result: z.object({ n: z.number() }) };

/** The commits of a sequence of tasks that do nothing, as the engine makes them. */
function runTasks(path: string, count: number) {
  const store = openStore(path, small, { synchronous: "normal" });
  store.createRun(newRun({ input: {} }));
  const codec = store.codec("result");
  for (let i = 0; i < count; i += 1) {
    const [done, next] = [`task-${i}`, `task-${i + 1}`];
    const address = (nodeId: string) => ({ nodeId, iteration: 0, attempt: 1 });
    store.commit(
      step({
        run: { frameNo: i + 1 },
        nodes: [
          node(done, {
            state: "finished",
            lastAttempt: 1,
            finishedSeq: i * 4,
            fingerprint: "abcdefghijklmnop",
            outputKey: "result",
          }),
          node(next, {
            state: "in-progress",
            lastAttempt: 1,
            fingerprint: "abcdefghijklmnop",
            outputKey: "result",
          }),
        ],
        attempts: [attempt(done, { state: "finished", finishedAtMs: T0 }), attempt(next)],
        outputs: [{ outputKey: "result", nodeId: done, iteration: 0, columns: codec.encode({ n: i }) }],
        events: events(
          i * 4,
          { type: "NodeFinished", ...address(done) },
          { type: "FrameCommitted", frameNo: i + 1, reason: "output", nodeId: done, iteration: 0 },
          { type: "NodePending", nodeId: next, iteration: 0 },
          { type: "NodeStarted", ...address(next) },
        ),
        frames: [frame(i + 1, { nodeId: done, iteration: 0 })],
      }),
    );
  }
  return store;
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe("disk use", () => {
  it("stays under a kilobyte per task that does nothing, also while the process lives", () => {
    const path = databasePath();
    const store = runTasks(path, 1500);
    expect(store.releaseLease(firstLease)).toBe(true);
    expect((sizeOf(path) + sizeOf(`${path}-wal`)) / 1500).toBeLessThan(1024);
  });

  it("folds a large write-ahead log back when a commit releases the lease", () => {
    const path = databasePath();
    const store = runTasks(path, 200);
    expect(sizeOf(`${path}-wal`)).toBeGreaterThan(1024 * 1024);
    store.commit(step({ run: { status: "finished", release: true } }));
    expect(sizeOf(`${path}-wal`)).toBe(0);
  });

  it("leaves the log as long as it is where one was folded back a short time ago: its bytes are written again", () => {
    const path = databasePath();
    const store = runTasks(path, 200);
    store.releaseLease(firstLease);
    expect(sizeOf(`${path}-wal`)).toBe(0);
    const { db } = store.connection.use();
    db.exec("CREATE TABLE large (content BLOB)");
    db.exec("INSERT INTO large VALUES (randomblob(2000000))");
    const before = sizeOf(`${path}-wal`);
    expect(before).toBeGreaterThan(1024 * 1024);
    store.releaseLease(firstLease);
    expect(sizeOf(`${path}-wal`)).toBe(before);
  });

  it("leaves a small log alone, to spare the disk", () => {
    const path = databasePath();
    const store = runTasks(path, 3);
    const before = sizeOf(`${path}-wal`);
    store.releaseLease(firstLease);
    expect(sizeOf(`${path}-wal`)).toBeGreaterThanOrEqual(before);
  });

  it("does not wait for readers that hold the log", () => {
    const path = databasePath();
    const store = runTasks(path, 200);
    const reader = openStore(path, small).connection.use().db;
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM _service_events").get();
    store.commit(step({ run: { frameNo: 999 } }));
    expect(store.releaseLease(firstLease)).toBe(true);
    expect(store.getRun("run-1")).toMatchObject({ ownerId: null, frameNo: 999 });
    reader.exec("COMMIT");
  });

  it("leaves one file behind when the store is closed", () => {
    const path = databasePath();
    runTasks(path, 3).close();
    expect([sizeOf(path) > 0, sizeOf(`${path}-wal`)]).toEqual([true, 0]);
  });
});
