import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { engineServices } from "../../src/operations/request/target.js";
import { runWith } from "../../src/operations/drive/run-with.js";
import { createSqliteDb } from "../../src/store/create-sqlite-db.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ text: z.string() }) };

/** Three steps; `onStep` is called inside the task before it returns. */
function threeSteps(onStep: (nodeId: string, attempt: number) => void) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const ran: string[] = [];
  const workflow = service(() => (
    <Workflow name="three">
      {["a", "b", "c"].map((id) => (
        <Task key={id} id={id} output={outputs.step}>
          {async (_inputs, { nodeId, attempt }) => {
            ran.push(`${nodeId} ${attempt}`);
            onStep(nodeId, attempt);
            return { text: "x".repeat(50_000) };
          }}
        </Task>
      ))}
    </Workflow>
  ));
  // As the scene's, but it does not wait half a minute for a lock.
  const { store } = createSqliteDb({ path: scene.path, schemas, busyTimeoutMs: 20 });
  onTestFinished(() => store.close());
  const services = engineServices(store, { clock: scene.time });
  const run = (options: { resume?: boolean } = {}) =>
    scene.time.until(runWith(services, workflow, { runId: "run", input: {}, ...options }));
  return { ...scene, workflow, ran, run, connection: () => store.connection.use().db };
}

/** Every attempt that the log knows has begun and ended as the rows say; no row without its event. */
async function expectNothingHalfWritten(scene: ReturnType<typeof threeSteps>) {
  const types = await scene.events("NodeFinished");
  const rows = await scene.store.listOutputs("run", "step");
  expect(rows.map(({ nodeId }) => nodeId)).toEqual(types.map(({ nodeId }) => nodeId));
  const events = await scene.store.listEvents("run", { limit: 1_000 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect((await scene.store.getRun("run"))?.nextSeq).toBe(events.length);
}

describe("a database that is locked while a run is driven", () => {
  it("ends the drive with the cause, and the run can be resumed as soon as the lock is gone", async () => {
    let other: Database.Database | undefined;
    const scene = threeSteps((nodeId, attempt) => {
      if (nodeId !== "b" || attempt > 1) return;
      other = new Database(scene.path);
      other.exec("BEGIN IMMEDIATE");
    });
    await expect(scene.run()).rejects.toMatchObject({ name: "ServiceError", code: "DB_BUSY" });
    other?.exec("ROLLBACK");
    other?.close();

    await expectNothingHalfWritten(scene);
    expect((await scene.node("b"))?.state).toBe("in-progress");
    // The lock also kept the lease from being given up: its heartbeat has to grow old.
    await expect(scene.run({ resume: true })).rejects.toMatchObject({ code: "RUN_OWNER_ALIVE" });
    await scene.time.sleepThrough(10_001);
    expect((await scene.run({ resume: true })).status).toBe("finished");
    expect(scene.ran).toEqual(["a 1", "b 1", "b 2", "c 1"]);
    expect(await scene.attempts("b")).toMatchObject([{ state: "interrupted" }, { state: "finished" }]);
    await expectNothingHalfWritten(scene);
  });

  it("keeps a run from being created, and says so", async () => {
    const scene = threeSteps(() => undefined);
    scene.connection();
    const other = new Database(scene.path);
    other.exec("BEGIN IMMEDIATE");
    await expect(scene.run()).rejects.toMatchObject({ code: "DB_BUSY" });
    other.exec("ROLLBACK");
    other.close();
    expect(scene.rowCount()).toBe(0);
    expect((await scene.run()).status).toBe("finished");
  });
});

describe("a disk that is full while a run is driven", () => {
  it("ends the drive with the cause, and the run can be resumed once there is room", async () => {
    const scene = threeSteps((nodeId, attempt) => {
      if (nodeId !== "b" || attempt > 1) return;
      // From here on the file may not grow: the next row does not fit.
      const pages = scene.connection().pragma("page_count", { simple: true }) as number;
      scene.connection().pragma(`max_page_count = ${pages}`);
    });
    const failure = await scene.run().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "ServiceError", code: "DB_WRITE_FAILED" });
    expect((failure as Error).message).toContain("full");
    expect((failure as Error).message).toContain(scene.path);
    await expectNothingHalfWritten(scene);
    expect(await scene.store.listOutputs("run", "step")).toHaveLength(1);

    scene.connection().pragma("max_page_count = 1000000");
    expect((await scene.run({ resume: true })).status).toBe("finished");
    expect(scene.ran).toEqual(["a 1", "b 1", "b 2", "c 1"]);
    await expectNothingHalfWritten(scene);
  });
});
