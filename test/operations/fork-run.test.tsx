import { approveNode, createService, explainRun, forkRun, retryTask, runWorkflow, ServiceDb } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

const schemas = {
  input: z.object({ city: z.string(), days: z.number().default(1) }),
  step: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
};

/** Two steps, one after the other, and what they come to. Counts the times that each has run. */
function trip() {
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Task, outputs } = api;
  const ran: string[] = [];
  const workflow = api.service((ctx) => (
    <Workflow name="trip">
      <Task id="find" output={outputs.step}>
        {() => {
          ran.push("find");
          return { text: `found ${ctx.input.city}` };
        }}
      </Task>
      <Task id="book" output={outputs.step} dependsOn={["find"]}>
        {() => {
          ran.push("book");
          return { text: `booked ${ctx.input.city}` };
        }}
      </Task>
      <Task id="sum" output={outputs.output} dependsOn={["book"]}>
        {() => {
          ran.push("sum");
          return {
            text: ctx
              .outputs("step")
              .map(({ text }) => text)
              .join(", "),
          };
        }}
      </Task>
    </Workflow>
  ));
  return { api, workflow, ran, store: new ServiceDb(api.db).store };
}

async function finished() {
  const it = trip();
  await runWorkflow(it.workflow, { runId: "first", input: { city: "Ulm" } });
  it.ran.length = 0;
  return it;
}

it("makes a run that has what the other one had at the frame, and does the rest anew", async () => {
  const { workflow, ran, store } = await finished();
  const { runId, keptNodes, laterNodes } = await forkRun(workflow, { runId: "first", frameNo: 2 });
  expect({ keptNodes, laterNodes }).toEqual({ keptNodes: ["find::0"], laterNodes: ["book::0", "sum::0"] });
  const result = await runWorkflow(workflow, { runId: runId as string, resume: true });
  expect(result).toMatchObject({ status: "finished", output: { text: "found Ulm, booked Ulm" } });
  expect(ran).toEqual(["book", "sum"]);
  expect(await store.getRun(runId as string)).toMatchObject({
    parentRunId: null,
    paused: null,
    config: { fork: { runId: "first", frameNo: 2 } },
  });
});

it("names tasks in the order of the tree", async () => {
  const { workflow } = await finished();
  const all = ["find::0", "book::0", "sum::0"];
  expect(await forkRun(workflow, { runId: "first", frameNo: 1, dryRun: true })).toMatchObject({
    laterNodes: all,
  });
  expect(await forkRun(workflow, { runId: "first", dryRun: true })).toMatchObject({ keptNodes: all });
});

it("waits for a resume: nothing of it starts by itself", async () => {
  const { workflow, store, ran } = await finished();
  const { runId } = await forkRun(workflow, { runId: "first", frameNo: 1 });
  const run = await store.getRun(runId as string);
  expect(run?.paused?.reason).toContain("first at frame 1");
  const due = await store.wakingRuns({ nowMs: Date.now() + 1e9, limit: 10 } as never);
  expect(due).toEqual([]);
  expect(ran).toEqual([]);
  const { runState, blockers } = await explainRun(workflow, runId as string);
  expect(runState).toBe("stopped");
  expect(blockers.map(({ kind }) => kind)).not.toContain("queued");
});

it("begins its log with where it comes from", async () => {
  const { workflow, store } = await finished();
  const { runId } = await forkRun(workflow, { runId: "first", frameNo: 1, label: "again" });
  const [first] = await store.listEvents(runId as string, { limit: 10 });
  expect(first).toMatchObject({
    seq: 0,
    event: { type: "RunForked", parentRunId: "first", parentFrameNo: 1, branchLabel: "again" },
  });
});

it("leaves the other run as it was", async () => {
  const { workflow, store } = await finished();
  const all = async () => ({
    run: await store.loadRun("first", { asStored: true }),
    attempts: await store.listAttempts("first"),
    events: await store.listEvents("first", { limit: 1_000 }),
  });
  const before = await all();
  const { runId } = await forkRun(workflow, { runId: "first", resetNodes: ["find"] });
  await runWorkflow(workflow, { runId: runId as string, resume: true });
  expect(await all()).toEqual(before);
});

it("runs named tasks again, with what came after them because of them", async () => {
  const { workflow, ran } = await finished();
  const { runId, resetNodes, keptNodes } = await forkRun(workflow, { runId: "first", resetNodes: ["book"] });
  expect({ resetNodes, keptNodes }).toEqual({ resetNodes: ["book::0", "sum::0"], keptNodes: ["find::0"] });
  await runWorkflow(workflow, { runId: runId as string, resume: true });
  expect(ran).toEqual(["book", "sum"]);
});

it("begins where a task had not ended yet", async () => {
  const { workflow } = await finished();
  const { keptNodes } = await forkRun(workflow, { runId: "first", nodeId: "sum" });
  expect(keptNodes).toEqual(["find::0", "book::0"]);
});

it("reads the past of a task that ran again since", async () => {
  const { workflow, ran, store } = await finished();
  await retryTask(workflow, { runId: "first", nodeId: "book" });
  await runWorkflow(workflow, { runId: "first", resume: true });
  ran.length = 0;
  const { runId, keptNodes } = await forkRun(workflow, { runId: "first", frameNo: 3 });
  expect(keptNodes).toEqual(["find::0", "book::0"]);
  const rows = await store.listOutputs(runId as string, "step");
  expect(rows.map(({ text }) => text)).toEqual(["found Ulm", "booked Ulm"]);
});

it("takes other input, checked at once", async () => {
  const { workflow } = await finished();
  const { runId } = await forkRun(workflow, { runId: "first", frameNo: 2, input: { city: "Bonn" } });
  const result = await runWorkflow(workflow, { runId: runId as string, resume: true });
  expect(result.output).toEqual(expect.objectContaining({ text: "found Ulm, booked Bonn" }));
  await expect(forkRun(workflow, { runId: "first", input: { city: 3 } as never })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

it("gives a failed run another chance at its end", async () => {
  const api = createService(schemas, { dbPath: ":memory:" });
  let fails = true;
  const workflow = api.service(() => (
    <api.Workflow name="flaky">
      <api.Task id="try" output={api.outputs.output} retries={0}>
        {() => {
          if (fails) throw new Error("no");
          return { text: "yes" };
        }}
      </api.Task>
    </api.Workflow>
  ));
  await runWorkflow(workflow, { runId: "bad", input: { city: "Ulm" } });
  fails = false;
  const { runId } = await forkRun(workflow, { runId: "bad" });
  const result = await runWorkflow(workflow, { runId: runId as string, resume: true });
  expect(result.status).toBe("finished");
  expect((await new ServiceDb(api.db).store.getRun("bad"))?.status).toBe("failed");
});

it("keeps decisions that were made by then, and asks for the others", async () => {
  const api = createService(schemas, { dbPath: ":memory:" });
  const workflow = api.service(() => (
    <api.Workflow name="gates">
      <api.Task id="one" output={api.outputs.step} needsApproval>
        {{ text: "one" }}
      </api.Task>
      <api.Task id="two" output={api.outputs.step} needsApproval dependsOn={["one"]}>
        {{ text: "two" }}
      </api.Task>
    </api.Workflow>
  ));
  const { store } = new ServiceDb(api.db);
  await runWorkflow(workflow, { runId: "asks", input: { city: "Ulm" } });
  await approveNode(workflow, { runId: "asks", nodeId: "one", decidedBy: "ada" });
  await runWorkflow(workflow, { runId: "asks", resume: true });
  const { runId } = await forkRun(workflow, { runId: "asks" });
  const result = await runWorkflow(workflow, { runId: runId as string, resume: true });
  expect(result.status).toBe("waiting-approval");
  const asked = await store.listApprovals({ runId: runId as string, limit: 9 });
  expect(asked.map(({ nodeId, status }) => `${nodeId} ${status}`).sort()).toEqual([
    "one approved",
    "two requested",
  ]);
});

it("only says what it would keep", async () => {
  const { workflow, store } = await finished();
  const { runId, keptNodes } = await forkRun(workflow, { runId: "first", frameNo: 2, dryRun: true });
  expect({ runId, keptNodes }).toEqual({ runId: null, keptNodes: ["find::0"] });
  expect(await store.listRuns({ limit: 9 })).toHaveLength(1);
});

it.each([
  ["a frame that there is not", { frameNo: 99 }, "SNAPSHOT_NOT_FOUND"],
  ["a task that there is not", { nodeId: "nowhere" }, "NODE_NOT_FOUND"],
  ["a task to run again that there is not", { resetNodes: ["nowhere"] }, "NODE_NOT_FOUND"],
  ["a frame and a task", { nodeId: "find", frameNo: 1 }, "INVALID_INPUT"],
  ["an id that is taken", { newRunId: "first" }, "RUN_EXISTS"],
  ["another run's name", { runId: "second" }, "RUN_NOT_FOUND"],
  ["an option that there is not", { frame: 1 }, "INVALID_INPUT"],
])("refuses %s", async (_what, options, code) => {
  const { workflow, store } = await finished();
  await expect(forkRun(workflow, { runId: "first", ...options } as never)).rejects.toMatchObject({ code });
  expect(await store.listRuns({ limit: 9 })).toHaveLength(1);
});
