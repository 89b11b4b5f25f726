import { join } from "node:path";
import { approvalDecision, approveNode, createService, runWorkflow, type ServiceWorkflow } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { storeOf } from "../../src/operations/request/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const { Workflow, Sequence, Loop, Task, Approval, Subflow, service, outputs } = createService({
  round: z.object({ n: z.number() }),
  decision: approvalDecision,
  output: z.object({ n: z.number() }),
});

/** A parent whose child always fails, and how often the child has tried. */
function failing(retries: number) {
  const calls: number[] = [];
  const child = service(() => (
    <Workflow name="child">
      <Task id="only" output={outputs.output} retries={0}>
        {() => {
          calls.push(calls.length + 1);
          throw new Error("no");
        }}
      </Task>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} retries={retries} />
    </Workflow>
  ));
  return { parent, calls };
}

/** More than the runs here make. */
const MOST_COMMITS = 15;

test.each(["before", "after"] as const)(
  "each failure of a child counts once for its parent, whichever commit a process dies %s",
  async (when) => {
    for (let commit = 1; commit <= MOST_COMMITS; commit += 1) {
      const { parent, calls } = failing(1);
      const run = testWorkflow(parent);
      await run.run({ commit, when });
      if (run.result.status === "running") await run.resume();
      await run.advance("1m");
      expect(run.result.status).toBe("failed");
      const failures = (await run.events()).filter(({ event }) => event.type === "NodeFailed");
      expect(failures).toHaveLength(2);
      // Work whose end was not committed is done again.
      expect(calls.length - (when === "before" ? 1 : 0)).toBeLessThanOrEqual(2);
    }
  },
);

test("a failure whose parent died before it could keep it is the subflow's result", async () => {
  for (let commit = 1; commit <= MOST_COMMITS; commit += 1) {
    const { parent, calls } = failing(0);
    const run = testWorkflow(parent);
    await run.run({ commit, when: "after" });
    if (run.result.status === "running") await run.resume();
    expect(run.result.status).toBe("failed");
    expect(calls).toEqual([1]);
  }
});

test("a resume of the failed parent drives the child again", async () => {
  const { parent, calls } = failing(0);
  const run = testWorkflow(parent);
  await run.run();
  await run.resume();
  expect(run.result.status).toBe("failed");
  expect(calls).toEqual([1, 2]);
});

test("a child that continued as another run is found where it is", async () => {
  const child = service(() => (
    <Workflow name="child">
      <Sequence>
        <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
          <Task id="round" output={outputs.round}>
            {{ n: 1 }}
          </Task>
        </Loop>
        <Task id="result" output={outputs.output}>
          {{ n: 3 }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Sequence>
        <Subflow id="sub" workflow={child} output={outputs.round} />
        <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
        <Task id="end" output={outputs.output} deps={{ sub: outputs.round }}>
          {({ sub }) => ({ n: sub.n })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  for (let commit = 1; commit <= MOST_COMMITS; commit += 1) {
    const run = testWorkflow(parent);
    await run.run({ commit, when: "after" });
    if (run.result.status === "running") await run.resume();
    await run.approve("ok");
    expect(run.result.output).toEqual({ n: 3 });
  }
});

test("a child that another process drives is waited for, not failed", async () => {
  const own = createService(
    { decision: approvalDecision, output: z.object({ n: z.number() }) },
    { dbPath: databasePath() },
  );
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const child = own.service(() => (
    <own.Workflow name="child">
      <own.Sequence>
        <own.Approval id="ok" output={own.outputs.decision} request={{ title: "Continue?" }} />
        <own.Task id="slow" output={own.outputs.output}>
          {async () => {
            await released;
            return { n: 1 };
          }}
        </own.Task>
      </own.Sequence>
    </own.Workflow>
  ));
  const parent = own.service(() => (
    <own.Workflow name="parent">
      <own.Subflow id="sub" workflow={child} output={own.outputs.output} retries={0} />
    </own.Workflow>
  ));
  const runId = "parent";
  expect((await runWorkflow(parent, { runId, input: {} })).status).toBe("waiting-approval");
  await approveNode(child, { runId: "parent:sub:0", nodeId: "ok" });
  const elsewhere = runWorkflow(child, { runId: "parent:sub:0", resume: true });
  await expect.poll(() => nodeState(child, "slow")).toBe("in-progress");
  expect((await runWorkflow(parent, { runId, resume: true })).status).toBe("waiting-event");
  release();
  expect((await elsewhere).status).toBe("finished");
  expect((await runWorkflow(parent, { runId, resume: true })).output).toEqual({ n: 1 });
});

async function nodeState(workflow: ServiceWorkflow, nodeId: string): Promise<string | undefined> {
  const store = await storeOf(workflow);
  return (await store.listNodes("parent:sub:0")).find((node) => node.nodeId === nodeId)?.state;
}

function databasePath(): string {
  const folder = temporaryFolder("child");
  return join(folder, "runs.db");
}

test("a child run may stand in nested loops, and under a node with any id", async () => {
  const child = service(() => (
    <Workflow name="child">
      <Task id="result" output={outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Loop id="outer" maxIterations={2}>
        <Sequence>
          <Loop id="inner" maxIterations={2}>
            <Subflow id="teil größe #1" workflow={child} output={outputs.output} retries={0} />
          </Loop>
        </Sequence>
      </Loop>
    </Workflow>
  ));
  const run = testWorkflow(parent);
  const { status, error } = await run.run();
  expect([status, error]).toEqual(["finished", undefined]);
  expect(await run.tasks()).toHaveLength(4);
});
