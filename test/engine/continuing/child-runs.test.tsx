import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReactNode } from "react";
import { cancelRun, createService, getRun, runWorkflow, ServiceDb, signalRun } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { globalTaskId } from "../../../src/model/address.js";
import { findDueRuns } from "../../../src/operations/supervise/due-runs.js";

const schemas = {
  input: z.object({}),
  row: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
};

/** A parent with a loop that continues as new after each round, and a subflow beside it; and how often each task ran. */
function scene(childTree: (api: Api, ran: (id: string) => void) => ReactNode, rounds = 3) {
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Task, Loop, Parallel, Subflow, outputs, service } = api;
  const counts: Record<string, number> = {};
  const ran = (id: string) => {
    counts[id] = (counts[id] ?? 0) + 1;
  };
  const child = service(() => <Workflow name="child">{childTree(api, ran) as never}</Workflow>);
  const tree = (
    <Parallel>
      <Subflow id="ask" workflow={child} output={outputs.row} />
      <Loop id="rounds" maxIterations={rounds} continueAsNewEvery={1}>
        <Task id="round" output={outputs.row}>
          {() => {
            ran("round");
            return { n: 1 };
          }}
        </Task>
      </Loop>
    </Parallel>
  );
  const workflow = service(() => <Workflow name="parent">{tree}</Workflow>);
  return { api, workflow, child, counts };
}
type Api = ReturnType<typeof createService<typeof schemas>>;

/** A task, then a wait, then the child's row. */
const working = (wait: (api: Api) => ReactNode) => (api: Api, ran: (id: string) => void) => (
  <api.Sequence>
    <api.Task id="work" output={api.outputs.row}>
      {() => {
        ran("work");
        return { n: 1 };
      }}
    </api.Task>
    {wait(api) as never}
    <api.Task id="done" output={api.outputs.output}>
      {{ n: 2 }}
    </api.Task>
  </api.Sequence>
);
const signal = ({ Signal, outputs }: Api) => <Signal id="answer" schema={outputs.row} />;
/** As supervisors, gateways and `up` see it. */
const dueIn = async ({ db }: Scene["workflow"]) =>
  (await findDueRuns(new ServiceDb(db as object).store, Date.now())).map(({ run, reason }) => [
    run.runId,
    reason,
  ]);
type Scene = ReturnType<typeof scene>;
const childOf = (runId: string) => globalTaskId({ runId, nodeId: "ask", iteration: 0 });

describe("a child run that waits while its parent continues as new", () => {
  it("keeps its id and its work, and belongs to the newest run", async () => {
    const { workflow, child, counts } = scene(working(signal));
    const { runId, status } = await runWorkflow(workflow, { runId: "run", input: {} });
    expect(status).toBe("waiting-event");
    expect(runId).not.toBe("run");
    expect(counts).toEqual({ work: 1, round: 3 });
    expect(await getRun(workflow, childOf("run"))).toMatchObject({
      status: "waiting-event",
      parentRunId: runId,
    });
    await expect(getRun(workflow, childOf(runId))).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });

    await signalRun(child, { runId: childOf("run"), signal: "answer", data: { n: 1 } });
    expect(await runWorkflow(workflow, { runId, resume: true })).toMatchObject({ status: "finished" });
    expect(counts).toEqual({ work: 1, round: 3 });
  });

  it("wakes the newest run when it ends without it", async () => {
    const { workflow, child } = scene(working(signal));
    const { runId } = await runWorkflow(workflow, { runId: "run", input: {} });
    await signalRun(child, { runId: childOf("run"), signal: "answer", data: { n: 1 } });
    expect(await runWorkflow(child, { runId: childOf("run"), resume: true })).toMatchObject({
      status: "finished",
    });
    expect(await dueIn(workflow)).toEqual([[runId, "answered"]]);
    expect(await runWorkflow(workflow, { runId, resume: true })).toMatchObject({ status: "finished" });
  });

  it("ends with the newest run when that is cancelled", async () => {
    const { workflow } = scene(working(signal));
    const { runId } = await runWorkflow(workflow, { runId: "run", input: {} });
    await cancelRun(workflow, { runId });
    expect(await getRun(workflow, childOf("run"))).toMatchObject({ status: "cancelled" });
  });
});

it("a child in another database goes along as well", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-databases-"));
  const one = createService(schemas, { dbPath: join(folder, "parent.db") });
  const other = createService(schemas, { dbPath: join(folder, "child.db") });
  onTestFinished(async () => {
    for (const { db } of [one, other]) await new ServiceDb(db).store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const child = other.service(() => (
    <other.Workflow name="child">
      <other.Signal id="answer" schema={other.outputs.output} />
    </other.Workflow>
  ));
  const workflow = one.service(() => (
    <one.Workflow name="parent">
      <one.Parallel>
        <one.Subflow id="ask" workflow={child} output={one.outputs.row} />
        <one.Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
          <one.Task id="round" output={one.outputs.row}>
            {{ n: 1 }}
          </one.Task>
        </one.Loop>
      </one.Parallel>
    </one.Workflow>
  ));
  const { runId } = await runWorkflow(workflow, { runId: "run", input: {} });
  expect(
    (await new ServiceDb(other.db).store.listRuns({ limit: 9 })).map((run) => [run.runId, run.status]),
  ).toEqual([[childOf("run"), "waiting-event"]]);
  await signalRun(child, { runId: childOf("run"), signal: "answer", data: { n: 1 } });
  expect(await dueIn(workflow)).toEqual([[runId, "answered"]]);
  expect(await runWorkflow(workflow, { runId, resume: true })).toMatchObject({ status: "finished" });
});

describe("in the test kit, where each workflow has a database of its own", () => {
  const timer = ({ Timer }: Api) => <Timer id="nap" duration="1h" />;

  it("a child that waits for a timer is carried over, and the run ends", async () => {
    const { workflow, counts } = scene(working(timer), 6);
    const test = testWorkflow(workflow);
    expect((await test.run()).status).toBe("waiting-timer");
    expect((await test.advance("1h")).status).toBe("finished");
    expect(counts).toEqual({ work: 1, round: 6 });
  });

  it("works once, no matter at which commit a process dies", async () => {
    for (const when of ["before", "after"] as const) {
      for (let commit = 1; commit <= 12; commit += 1) {
        const { workflow, counts } = scene(working(timer));
        const test = testWorkflow(workflow);
        await test.run({ commit, when });
        if (test.result.status === "running") await test.resume();
        expect((await test.advance("1h")).status).toBe("finished");
        // A task that dies with its process before its row is there runs again; nothing else does.
        expect(counts["work"]).toBeLessThanOrEqual(2);
      }
    }
  });

  it("time passes where a child that nothing waits for has a timer", async () => {
    const api = createService(schemas, { dbPath: ":memory:" });
    const { Workflow, Task, Parallel, Subflow, Timer, TryCatchFinally, outputs, service } = api;
    const child = service(() => (
      <Workflow name="child">
        <Timer id="nap" duration="1h" />
      </Workflow>
    ));
    const workflow = service(() => (
      <Workflow name="parent">
        <TryCatchFinally
          try={
            <Parallel>
              <Subflow id="ask" workflow={child} output={outputs.row} />
              <Task
                id="fail"
                output={outputs.row}
                retryPolicy={{ backoff: "fixed", initialDelayMs: 1_000 }}
                retries={1}
              >
                {() => Promise.reject(new Error("no"))}
              </Task>
            </Parallel>
          }
          finally={<Timer id="later" duration="2d" />}
          catch={
            <Task id="caught" output={outputs.row}>
              {{ n: 1 }}
            </Task>
          }
        />
      </Workflow>
    ));
    const test = testWorkflow(workflow);
    await test.run();
    expect((await test.advance("3d")).status).toBe("finished");
  });
});

it("a child of another round than the one that continues ends with it", async () => {
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Loop, Parallel, Subflow, Signal, ContinueAsNew, outputs, service } = api;
  const child = service(() => (
    <Workflow name="child">
      <Signal id="answer" schema={outputs.output} />
    </Workflow>
  ));
  const workflow = service((ctx) => (
    <Workflow name="parent">
      <Loop id="rounds" until={false} maxIterations={2}>
        <Parallel>
          <Subflow id="ask" workflow={child} output={outputs.row} />
          {ctx.iteration === 0 && <ContinueAsNew />}
        </Parallel>
      </Loop>
    </Workflow>
  ));
  const { runId, status } = await runWorkflow(workflow, { runId: "run", input: {} });
  expect(status).toBe("waiting-event");
  const id = (of: string, iteration: number) => globalTaskId({ runId: of, nodeId: "ask", iteration });
  expect(await getRun(workflow, id(runId, 1))).toMatchObject({ status: "waiting-event" });
});
