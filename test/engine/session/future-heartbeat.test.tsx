import { hostname } from "node:os";
import { expect, it } from "vitest";
import { newOwnerId } from "../../../src/process/owner.js";
import { explainWith } from "../../../src/operations/explain-run.js";
import { requireRun } from "../../../src/operations/request/require-run.js";
import { findDueRuns } from "../../../src/operations/supervise/due-runs.js";
import { newRun } from "../../conformance/store/fixtures.js";
import { openScene } from "../../support/engine/scene.js";

const HOUR_MS = 3_600_000;
/** Of another machine, so that no process here can say whether it lives. */
const OTHERS = `not-${hostname()}/1/session/x.1`;

/** A waiting run, claimed by an owner whose clock was so far ahead of the one of this machine. */
async function claimedBy(ownerId: string, aheadMs: number) {
  const scene = openScene({});
  const { Workflow, Timer, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="claimed">
      <Timer id="pause" duration="2h" />
    </Workflow>
  ));
  await scene.drive(workflow);
  const claim = async (nowMs: number) => {
    const { runId, epoch, ownerId: before, heartbeatAtMs } = await row();
    await scene.store.claimRun({
      runId,
      ownerId,
      nowMs,
      expected: { epoch, ownerId: before, heartbeatAtMs },
    });
  };
  const row = async () => {
    const run = await scene.store.getRun("run");
    if (run === undefined) throw new Error("There is no run.");
    return run;
  };
  await claim(scene.time.now() + aheadMs);
  const due = async () =>
    (await findDueRuns(scene.store, scene.time.now())).map(({ run, reason }) => [run.runId, reason]);
  return { ...scene, workflow, due, row };
}

it("a run whose owner's heartbeat lies an hour ahead is taken over, where no process can ask whether the owner lives", async () => {
  const { due, resume, workflow } = await claimedBy(OTHERS, HOUR_MS);
  expect(await due()).toEqual([["run", "orphaned"]]);
  expect(await resume(workflow)).toMatchObject({ status: "waiting-timer" });
  expect(await due()).toEqual([]);
});

it("a clock that is a few seconds ahead takes no run from its owner", async () => {
  const { due, resume, workflow } = await claimedBy(OTHERS, 5_000);
  expect(await due()).toEqual([]);
  await expect(resume(workflow)).rejects.toMatchObject({
    code: "RUN_STILL_RUNNING",
    message: expect.stringContaining(" 0 s ago"),
  });
});

it("an owner that lives on this machine keeps its run when the clock is set back", async () => {
  const { due, resume, workflow } = await claimedBy(newOwnerId(), HOUR_MS);
  expect(await due()).toEqual([]);
  await expect(resume(workflow)).rejects.toMatchObject({ code: "RUN_OWNER_ALIVE" });
});

it("such a run is shown as stale, and why says where its heartbeat lies", async () => {
  const { store, time } = openScene({});
  await store.prepare();
  await store.createRun(newRun({ runId: "run", ownerId: OTHERS, nowMs: time.now() + HOUR_MS, input: {} }));
  const { runState, blockers } = await explainWith(store, await requireRun(store, "run"), time.now());
  expect(runState).toBe("stale");
  expect(blockers[0]?.summary).toContain("the last one lies 1h 00m in the future");
});
