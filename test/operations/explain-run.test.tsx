import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  approvalDecision,
  approveNode,
  denyNode,
  explainRun,
  retryTask,
  runWorkflow,
  signalRun,
} from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ ok: z.boolean() }),
};

/** A run with a subflow that waits for a person, inside another one. */
function nested() {
  const { Workflow, Sequence, Approval, Subflow, Task, outputs, service } = openScene(schemas).api;
  const asking = service(() => (
    <Workflow name="asking">
      <Sequence>
        <Approval id="ok" output={outputs.decision} request={{ title: "Ship it?" }} />
        <Task id="end" output={outputs.output}>
          {{ ok: true }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const middle = service(() => (
    <Workflow name="middle">
      <Subflow id="inner" workflow={asking} output={outputs.output} />
    </Workflow>
  ));
  const outer = service(() => (
    <Workflow name="outer">
      <Subflow id="sub" workflow={middle} output={outputs.output} />
    </Workflow>
  ));
  return { asking, outer };
}

/** A program has started the runs of this file: none says where its workflow is. */
const resumed = { action: "resume", runId: "run", needsWorkflow: true };

describe("what keeps a run from continuing that waits for a child run", () => {
  it("is what the innermost child waits for, once, with what to do about that run", async () => {
    const { outer } = nested();
    expect(await runWorkflow(outer, { runId: "run", input: {} })).toMatchObject({
      status: "waiting-approval",
    });
    expect((await explainRun(outer, "run")).blockers).toEqual([
      expect.objectContaining({
        runId: "run:sub:0:inner:0",
        kind: "approval",
        nodeId: "ok",
        remedy: {
          action: "approve",
          runId: "run:sub:0:inner:0",
          nodeId: "ok",
          iteration: 0,
          requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
          mode: "decision",
        },
      }),
    ]);
  });

  it("is that no process has taken up the end of its child", async () => {
    const { outer, asking } = nested();
    await runWorkflow(outer, { runId: "run", input: {} });
    const child = "run:sub:0:inner:0";
    await approveNode(asking, { runId: child, nodeId: "ok" });
    await runWorkflow(asking, { runId: child, resume: true });
    expect((await explainRun(outer, "run")).blockers).toMatchObject([
      { kind: "decision-pending", nodeId: "inner", remedy: resumed },
    ]);
    expect(await runWorkflow(outer, { runId: "run", resume: true })).toMatchObject({ status: "finished" });
    expect((await explainRun(outer, "run")).blockers).toEqual([]);
  });
});

describe("what keeps a run from continuing that waits for signals", () => {
  function listening() {
    const { Workflow, Parallel, WaitForEvent, outputs, service } = openScene(schemas).api;
    return service(() => (
      <Workflow name="listening">
        <Parallel>
          <WaitForEvent id="a" event="paid" correlationId="order 7" output={outputs.output} />
          <WaitForEvent id="b" event="paid" output={outputs.output} />
          <WaitForEvent id="c" event="paid" output={outputs.output} />
        </Parallel>
      </Workflow>
    ));
  }
  const blockersOf = async (workflow: ReturnType<typeof listening>) =>
    (await explainRun(workflow, "run")).blockers.map(({ kind, nodeId, remedy }) => [nodeId, kind, remedy]);

  const signalled = { action: "signal", runId: "run", signal: "paid", example: { ok: true } };

  it("is the signal, with what is needed to send it", async () => {
    const workflow = listening();
    await runWorkflow(workflow, { runId: "run", input: {} });
    expect(await blockersOf(workflow)).toEqual([
      ["a", "event", { ...signalled, correlationId: "order 7" }],
      ["b", "event", signalled],
      ["c", "event", signalled],
    ]);
  });

  it("is that no process has taken up a signal that was sent already, which is for one of them", async () => {
    const workflow = listening();
    await runWorkflow(workflow, { runId: "run", input: {} });
    await signalRun(workflow, { runId: "run", signal: "paid", data: { ok: true } });
    await signalRun(workflow, { runId: "run", signal: "other", data: { ok: true } });
    expect(await blockersOf(workflow)).toEqual([
      ["a", "event", { ...signalled, correlationId: "order 7" }],
      ["b", "decision-pending", resumed],
      ["c", "event", signalled],
    ]);
    await runWorkflow(workflow, { runId: "run", resume: true });
    expect(await blockersOf(workflow)).toEqual([
      ["a", "event", { ...signalled, correlationId: "order 7" }],
      ["c", "event", signalled],
    ]);
  });
});

it("what the newest run of a child's chain waits for keeps the parent from continuing", async () => {
  const { Workflow, Branch, ContinueAsNew, WaitForEvent, Subflow, outputs, service } = openScene(schemas).api;
  const child = service((ctx) => (
    <Workflow name="chained">
      <Branch
        if={ctx.continuation === undefined}
        then={<ContinueAsNew state={1} />}
        else={<WaitForEvent id="wait" event="paid" output={outputs.output} />}
      />
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} />
    </Workflow>
  ));
  await runWorkflow(parent, { runId: "run", input: {} });
  const { nextRunId } = await explainRun(parent, "run:sub:0");
  expect((await explainRun(parent, "run")).blockers).toMatchObject([
    {
      kind: "event",
      runId: nextRunId,
      remedy: { action: "signal", runId: nextRunId, signal: "paid", example: expect.anything() },
    },
  ]);
});

describe("what keeps a failed run from continuing", () => {
  it("is resumed before it takes the signals that it still waits for", async () => {
    const { Workflow, Parallel, Signal, Task, outputs, service } = openScene({
      go: z.object({ n: z.number() }),
      output: z.object({ ok: z.boolean() }),
    }).api;
    const workflow = service(() => (
      <Workflow name="half">
        <Parallel>
          <Signal id="go" schema={outputs.go} />
          <Task id="bad" output={outputs.output} noRetry>
            {() => {
              throw new Error("No luck.");
            }}
          </Task>
        </Parallel>
      </Workflow>
    ));
    expect(await runWorkflow(workflow, { runId: "run", input: {} })).toMatchObject({ status: "failed" });
    const { blockers } = await explainRun(workflow, "run");
    expect(blockers.find(({ kind }) => kind === "event")?.remedy).toEqual(resumed);
    expect(blockers.find(({ kind }) => kind === "failed-task")?.remedy).toEqual(resumed);
  });

  it("is asked again, in a child run that was denied, by the subflow of the run above it", async () => {
    const { Workflow, Approval, Subflow, outputs, service } = openScene({
      ask: approvalDecision,
      output: z.object({ ok: z.boolean() }),
    }).api;
    const child = service(() => (
      <Workflow name="child">
        <Approval id="sure" output={outputs.ask} request={{ title: "Sure?" }} />
      </Workflow>
    ));
    const workflow = service(() => (
      <Workflow name="parent">
        <Subflow id="sub" workflow={child} output={outputs.output} retries={0} />
      </Workflow>
    ));
    await runWorkflow(workflow, { runId: "run", input: {} });
    await denyNode(workflow, { runId: "run:sub:0", nodeId: "sure", decidedBy: "ada" });
    expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("failed");
    const again = { action: "retry-task", runId: "run", nodeId: "sub", iteration: 0 };
    for (const runId of ["run", "run:sub:0"]) {
      const { blockers } = await explainRun(workflow, runId);
      expect(blockers.find(({ kind }) => kind === "failed-task")?.remedy, runId).toEqual(again);
    }
    const { action: _, ...task } = again;
    expect(await retryTask(workflow, task)).toMatchObject({ success: true });
    expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("waiting-approval");
    await approveNode(workflow, { runId: "run:sub:0", nodeId: "sure", decidedBy: "ada" });
    const { error } = await runWorkflow(workflow, { runId: "run", resume: true });
    // It has no result of its own, which is another matter.
    expect(error?.message).not.toContain("denied");
  });
});
