import { hostname } from "node:os";
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findDueRuns } from "../../src/operations/supervise/due-runs.js";
import { newRun, step } from "../conformance/store/fixtures.js";
import { openScene } from "../support/engine/scene.js";

const HOUR_MS = 3_600_000;

function waiting() {
  const scene = openScene({ go: z.object({ n: z.number() }) });
  const { Workflow, Parallel, Signal, Timer, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="waiting">
      <Parallel>
        <Signal id="go" schema={outputs.go} />
        <Timer id="nap" duration="1h" />
      </Parallel>
    </Workflow>
  ));
  /** Makes the process with this id the run's owner, as its claim does before its first commit. */
  const claim = async (pid: number) => {
    const { epoch, ownerId, heartbeatAtMs } = (await scene.store.getRun("run")) as NonNullable<
      Awaited<ReturnType<typeof scene.store.getRun>>
    >;
    await scene.store.claimRun({
      runId: "run",
      ownerId: `${hostname()}/${pid}/session`,
      nowMs: scene.time.now(),
      expected: { epoch, ownerId, heartbeatAtMs },
    });
  };
  const due = async () =>
    (await findDueRuns(scene.store, scene.time.now())).map(({ run, reason }) => [run.runId, reason]);
  return { ...scene, workflow, claim, due };
}

describe("a run that waits", () => {
  it("is left alone until something of it is due", async () => {
    const { run, workflow, due, time } = waiting();
    await run(workflow);
    expect(await due()).toEqual([]);
    time.moveTo(time.now() + HOUR_MS);
    expect(await due()).toEqual([["run", "due"]]);
  });

  it("is picked up when the process that claimed it died before its first commit", async () => {
    const { run, resume, workflow, claim, due } = waiting();
    await run(workflow);
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    await claim(dead);
    expect(await due()).toEqual([["run", "orphaned"]]);
    expect(await resume(workflow)).toMatchObject({ status: "waiting-event" });
    expect(await due()).toEqual([]);
  });

  it("is left to a process that lives", async () => {
    const { run, workflow, claim, due, time } = waiting();
    await run(workflow);
    time.moveTo(time.now() + HOUR_MS);
    await claim(process.pid);
    expect(await due()).toEqual([]);
  });

  it("is found however many others have begun to wait since", async () => {
    const { run, workflow, due, time, store } = waiting();
    await run(workflow);
    for (let index = 0; index < 501; index += 1) {
      const [runId, ownerId] = [`later-${index}`, "somebody"];
      await store.createRun(newRun({ runId, ownerId, nowMs: time.now() + 1, input: {} }));
      await store.commit(
        step({ lease: { runId, ownerId, epoch: 1 }, run: { status: "waiting-event", release: true } }),
      );
    }
    time.moveTo(time.now() + HOUR_MS);
    expect(await due()).toEqual([["run", "due"]]);
  });
});
