import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";
import { quietDb } from "../support/quiet-store.js";

const schemas = { step: z.object({ text: z.string() }) };
const runIds = ["a", "b", "c"];

/** Three runs of two steps; the first steps of all of them return together, when `release` is called. */
function threeRuns() {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const ran: string[] = [];
  let held: (() => void)[] = [];
  const workflow = service((ctx) => (
    <Workflow name="two">
      <Task id="held" output={outputs.step}>
        {async () => {
          ran.push(`${ctx.runId} held`);
          await new Promise<void>((resolve) => held.push(resolve));
          return { text: ctx.runId };
        }}
      </Task>
      <Task id="after" output={outputs.step}>
        {() => {
          ran.push(`${ctx.runId} after`);
          return { text: ctx.runId };
        }}
      </Task>
    </Workflow>
  ));
  const other = quietDb({ path: scene.path, schemas }).store;
  const release = () => {
    for (const resolve of held) resolve();
    held = [];
  };
  return { ...scene, workflow, ran, other, release };
}

describe("runs that one process drives in one database", () => {
  it("are created together and commit together", async () => {
    const scene = threeRuns();
    const together = vi.spyOn(scene.store, "writeTogether");
    const driven = Promise.all(runIds.map((runId) => scene.drive(scene.workflow, { runId })));
    await scene.time.advance(0);
    const before = together.mock.calls.length;
    scene.release();
    expect((await scene.time.until(driven)).map(({ status }) => status)).toEqual(
      runIds.map(() => "finished"),
    );
    const writes = together.mock.calls.slice(before).map(([members]) => members.length);
    // The first step's end with the second's start, then the second's end with the run's.
    expect(writes).toEqual([3, 3]);
    for (const runId of runIds) expect(await scene.store.listOutputs(runId, "step")).toHaveLength(2);
    scene.other.close();
  });

  it("give their heartbeats together, and one that was taken over meanwhile learns of it alone", async () => {
    const scene = threeRuns();
    const beats = vi.spyOn(scene.store, "heartbeatTogether");
    const driven = Promise.allSettled(runIds.map((runId) => scene.drive(scene.workflow, { runId })));
    await scene.time.advance(0);
    await scene.time.advance(1_000);
    const together = beats.mock.calls.map(([members]) => members.map(({ lease }) => lease.runId).toSorted());
    expect(together).toEqual([runIds]);
    const { epoch, ownerId, heartbeatAtMs } = scene.other.getRun("b") as NonNullable<
      ReturnType<typeof scene.other.getRun>
    >;
    expect(heartbeatAtMs).toBe(scene.time.now());
    const expected = { epoch, ownerId, heartbeatAtMs };
    scene.other.claimRun({ runId: "b", ownerId: "another", nowMs: scene.time.now(), expected });
    await scene.time.advance(1_000);
    scene.release();
    const [a, b, c] = await scene.time.until(driven);
    expect(a).toMatchObject({ value: { status: "finished" } });
    expect(b).toMatchObject({ reason: { code: "RUN_RESUME_CLAIM_LOST" } });
    expect(c).toMatchObject({ value: { status: "finished" } });
    scene.other.close();
  });

  it("continue when one of them is fenced, which alone is refused and starts nothing more", async () => {
    const scene = threeRuns();
    const driven = Promise.allSettled(runIds.map((runId) => scene.drive(scene.workflow, { runId })));
    await scene.time.advance(0);
    const { epoch, ownerId, heartbeatAtMs } = scene.other.getRun("b") as NonNullable<
      ReturnType<typeof scene.other.getRun>
    >;
    const expected = { epoch, ownerId, heartbeatAtMs };
    scene.other.claimRun({ runId: "b", ownerId: "another", nowMs: scene.time.now(), expected });
    scene.release();
    const [a, b, c] = await scene.time.until(driven);
    expect(a).toMatchObject({ value: { status: "finished" } });
    expect(b).toMatchObject({ reason: { code: "RUN_RESUME_CLAIM_LOST" } });
    expect(c).toMatchObject({ value: { status: "finished" } });
    expect(scene.ran.filter((what) => what.endsWith("after"))).toEqual(["a after", "c after"]);
    expect(scene.other.getRun("b")).toMatchObject({ status: "running", ownerId: "another" });
    expect(scene.other.listOutputs("b", "step")).toEqual([]);
    scene.other.close();
  });

  it("are notified only once every other process sees it", async () => {
    const scene = threeRuns();
    const unseen: string[] = [];
    const driven = runIds.map((runId) =>
      scene.drive(scene.workflow, {
        runId,
        onProgress(event) {
          if (event.type !== "NodeFinished") return;
          if (scene.other.getOutput(runId, "step", event.nodeId, 0) === undefined) unseen.push(event.nodeId);
        },
      }),
    );
    await scene.time.advance(0);
    scene.release();
    await scene.time.until(Promise.all(driven));
    expect(unseen).toEqual([]);
    scene.other.close();
  });
});

describe("a run that is driven alone", () => {
  it("does not wait", async () => {
    const scene = threeRuns();
    const together = vi.spyOn(scene.store, "writeTogether");
    const driven = scene.drive(scene.workflow, { runId: "a" });
    await scene.time.advance(0);
    scene.release();
    await scene.time.until(driven);
    expect(together).not.toHaveBeenCalled();
    scene.other.close();
  });
});
