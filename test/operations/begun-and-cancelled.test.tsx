import { expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, cancelRun, forkRun, getRun, listRuns } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

function asking() {
  const scene = openScene({ gate: approvalDecision, row: z.object({ n: z.number() }) });
  const { Workflow, Approval, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name="asks">
      <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
    </Workflow>
  ));
  return { ...scene, workflow };
}

it("a run that was cancelled says who asked for it and why, alone and in lists", async () => {
  const { run, workflow } = asking();
  await run(workflow);
  expect(await getRun(workflow, "run")).toMatchObject({ status: "waiting-approval", cancelled: null });
  await cancelRun(workflow, { runId: "run", reason: "not today", requestedBy: "ada" });
  const cancelled = { reason: "not today", requestedBy: "ada", atMs: expect.any(Number) };
  expect(await getRun(workflow, "run")).toMatchObject({ status: "cancelled", cancelled });
  expect((await listRuns(workflow)).runs).toMatchObject([{ cancelled }]);
});

it("one that was cancelled without a word says when", async () => {
  const { run, workflow } = asking();
  await run(workflow);
  await cancelRun(workflow, { runId: "run" });
  const cancelled = { reason: null, requestedBy: null, atMs: expect.any(Number) };
  expect(await getRun(workflow, "run")).toMatchObject({ cancelled });
});

it("a fork says of which run and frame it was made, and its name; no other run does", async () => {
  const { run, workflow } = asking();
  await run(workflow);
  const { runId } = await forkRun(workflow, { runId: "run", frameNo: 1, label: "another answer" });
  expect(await getRun(workflow, runId as string)).toMatchObject({
    forkedFrom: { runId: "run", frameNo: 1, label: "another answer" },
  });
  expect(await getRun(workflow, "run")).toMatchObject({ forkedFrom: null });
});
