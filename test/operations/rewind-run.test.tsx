import { approveNode, createService, defineTool, runWorkflow, rewindRun, ServiceDb } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

const schemas = {
  input: z.object({}),
  step: z.object({ n: z.number() }),
  output: z.object({ sum: z.number() }),
};

/** Two steps whose rows count the times that they have run, and their sum. */
async function finished() {
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Task, outputs } = api;
  const times = { one: 0, two: 0 };
  const workflow = api.service((ctx) => (
    <Workflow name="steps">
      <Task id="one" output={outputs.step}>
        {() => ({ n: ++times.one })}
      </Task>
      <Task id="two" output={outputs.step} dependsOn={["one"]}>
        {() => ({ n: ++times.two * 10 })}
      </Task>
      <Task id="sum" output={outputs.output} dependsOn={["two"]}>
        {() => ({ sum: ctx.outputs("step").reduce((sum, { n }) => sum + n, 0) })}
      </Task>
    </Workflow>
  ));
  const { store } = new ServiceDb(api.db);
  await runWorkflow(workflow, { runId: "run", input: {} });
  const resume = () => runWorkflow(workflow, { runId: "run", resume: true });
  const rows = async () => (await store.listOutputs("run", "step")).map(({ nodeId, n }) => `${nodeId} ${n}`);
  return { workflow, store, resume, rows };
}

it("makes the run what it was at the frame, and a resume does the rest again", async () => {
  const { workflow, resume, rows } = await finished();
  const result = await rewindRun(workflow, { runId: "run", frameNo: 2 });
  expect(result).toMatchObject({ resetNodes: ["two::0", "sum::0"], restoredNodes: [], effects: [] });
  expect(await rows()).toEqual(["one 1"]);
  expect(await resume()).toMatchObject({ status: "finished", output: { sum: 21 } });
});

it("waits for a resume", async () => {
  const { workflow, store } = await finished();
  await rewindRun(workflow, { runId: "run", frameNo: 2 });
  expect(await store.getRun("run")).toMatchObject({
    status: "running",
    ownerId: null,
    finishedAtMs: null,
    paused: { reason: expect.stringContaining("frame 2") },
  });
});

it("keeps all of the log, and says in it what it has discarded", async () => {
  const { workflow, store } = await finished();
  const before = await store.listEvents("run", { limit: 1_000 });
  await rewindRun(workflow, { runId: "run", frameNo: 2, requestedBy: "ada" });
  const after = await store.listEvents("run", { limit: 1_000 });
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after[before.length]?.event).toMatchObject({
    type: "RunRewound",
    toFrameNo: 2,
    resetNodes: ["two::0", "sum::0"],
    requestedBy: "ada",
  });
});

it("goes forward again to a frame of what was discarded", async () => {
  const { workflow, store, rows } = await finished();
  const newest = (await store.getRun("run"))?.frameNo as number;
  await rewindRun(workflow, { runId: "run", frameNo: 1 });
  expect(await rows()).toEqual([]);
  const { restoredNodes } = await rewindRun(workflow, { runId: "run", frameNo: newest });
  expect(restoredNodes).toEqual(["one::0", "two::0", "sum::0"]);
  expect(await rows()).toEqual(["one 1", "two 10"]);
});

it("forgets a decision of later, and asks again", async () => {
  const api = createService(schemas, { dbPath: ":memory:" });
  const workflow = api.service(() => (
    <api.Workflow name="gate">
      <api.Task id="ask" output={api.outputs.step} needsApproval>
        {{ n: 1 }}
      </api.Task>
    </api.Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  await approveNode(workflow, { runId: "run", nodeId: "ask" });
  await runWorkflow(workflow, { runId: "run", resume: true });
  await rewindRun(workflow, { runId: "run", frameNo: 1 });
  expect(await runWorkflow(workflow, { runId: "run", resume: true })).toMatchObject({
    status: "waiting-approval",
  });
});

async function withTool() {
  const api = createService(schemas, { dbPath: ":memory:" });
  const send = defineTool({ name: "send", schema: z.object({}), sideEffect: true, execute: () => "sent" });
  const agent = {
    id: "mailer",
    tools: { send },
    generate: async () => {
      await send.execute({}, {});
      return { text: '{"n":1}' };
    },
  };
  const workflow = api.service(() => (
    <api.Workflow name="mail">
      <api.Task id="mail" output={api.outputs.step} agent={agent}>
        Send it.
      </api.Task>
    </api.Workflow>
  ));
  const { status } = await runWorkflow(workflow, { runId: "run", input: {} });
  expect(status).toBe("finished");
  return { workflow, store: new ServiceDb(api.db).store };
}

it("stays as it is when tools have changed something outside that would happen again", async () => {
  const { workflow, store } = await withTool();
  const before = await store.loadRun("run", { asStored: true });
  await expect(rewindRun(workflow, { runId: "run", frameNo: 1 })).rejects.toMatchObject({
    code: "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    details: { effects: ["mail::0 send"] },
  });
  expect(await store.loadRun("run", { asStored: true })).toEqual(before);
});

it("does it all the same when that is accepted, and keeps that in the log", async () => {
  const { workflow, store } = await withTool();
  const { effects } = await rewindRun(workflow, { runId: "run", frameNo: 1, acceptEffects: true });
  expect(effects).toEqual(["mail::0 send"]);
  const [event] = await store.listEvents("run", { types: ["RunRewound"], limit: 1 });
  expect(event?.event).toMatchObject({ effects: ["mail::0 send"] });
});

it("only says what it would change", async () => {
  const { workflow, store } = await finished();
  const before = await store.loadRun("run", { asStored: true });
  const { resetNodes } = await rewindRun(workflow, { runId: "run", frameNo: 1, dryRun: true });
  expect(resetNodes).toEqual(["one::0", "two::0", "sum::0"]);
  expect(await store.loadRun("run", { asStored: true })).toEqual(before);
});

it("leaves a run alone that another process drives", async () => {
  const { workflow, store } = await finished();
  const run = await store.getRun("run");
  const ownerId = `${"elsewhere"}/1/x`;
  await store.claimRun({ runId: "run", ownerId, nowMs: Date.now(), expected: run as never });
  await expect(rewindRun(workflow, { runId: "run", frameNo: 1 })).rejects.toMatchObject({
    code: expect.stringMatching(/RUN_OWNER_ALIVE|RUN_STILL_RUNNING/),
  });
});

it.each([
  ["a frame that there is not", { frameNo: 99 }, "SNAPSHOT_NOT_FOUND"],
  ["another run's name", { runId: "other", frameNo: 1 }, "RUN_NOT_FOUND"],
  ["no frame", { frameNo: undefined }, "INVALID_INPUT"],
])("refuses %s", async (_what, options, code) => {
  const { workflow } = await finished();
  await expect(rewindRun(workflow, { runId: "run", ...options } as never)).rejects.toMatchObject({ code });
});
