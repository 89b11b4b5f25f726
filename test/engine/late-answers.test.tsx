import { expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, approveNode, signalRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: approvalDecision,
  news: z.object({ n: z.number() }),
};

const MINUTE = 60_000;

it("a decision after the deadline is refused, also when no process was there to end the wait", async () => {
  const { api, run, time } = openScene(schemas);
  const { Workflow, Approval, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} timeoutMs={MINUTE} />
    </Workflow>
  ));
  await run(workflow);
  const dueAtMs = time.now() + MINUTE;
  time.moveTo(dueAtMs + 1);
  await expect(approveNode(workflow, { runId: "run", nodeId: "ok" }, { clock: time })).rejects.toMatchObject({
    code: "NODE_NOT_WAITING",
    details: { nodeId: "ok", dueAtMs },
  });
  const { status, error } = await run(workflow, { runId: "run", resume: true });
  expect([status, error?.code]).toEqual(["failed", "TASK_TIMEOUT"]);
});

it("a decision in time counts, however late it is taken up", async () => {
  const { api, run, time } = openScene(schemas);
  const { Workflow, Approval, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} timeoutMs={MINUTE} />
    </Workflow>
  ));
  await run(workflow);
  time.moveTo(time.now() + MINUTE);
  await approveNode(workflow, { runId: "run", nodeId: "ok" }, { clock: time });
  time.moveTo(time.now() + 10 * MINUTE);
  expect((await run(workflow, { runId: "run", resume: true })).status).toBe("finished");
});

it("a signal after the deadline is left for another waiter", async () => {
  const { api, run, time, store, node } = openScene(schemas);
  const { Workflow, Parallel, WaitForEvent, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="waiting">
      <Parallel>
        <WaitForEvent id="first" event="news" output={outputs.news} timeoutMs={MINUTE} onTimeout="skip" />
        <WaitForEvent id="second" event="news" output={outputs.news} />
      </Parallel>
    </Workflow>
  ));
  await run(workflow);
  time.moveTo(time.now() + MINUTE + 200);
  await signalRun(workflow, { runId: "run", signal: "news", data: { n: 1 } }, { clock: time });
  expect((await run(workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect((await node("first"))?.state).toBe("skipped");
  expect(await store.getOutput("run", "news", "second", 0)).toEqual({ n: 1 });
});
