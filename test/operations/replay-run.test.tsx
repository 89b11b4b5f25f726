import {
  type AgentLike,
  createService,
  replayRun,
  rewindRun,
  type RunEvent,
  runWorkflow,
  ServiceDb,
} from "treadle";
import { defineTool } from "treadle/tools";
import { expect, it } from "vitest";
import { z } from "zod";

const row = z.object({ text: z.string() });

/** Two tasks, one after the other; the second one pays. Counts what each has done. */
async function finished({ sideEffect = false } = {}) {
  const did: string[] = [];
  const pay = defineTool({
    name: "pay",
    schema: z.object({}),
    sideEffect,
    idempotent: true,
    execute: () => {
      did.push("pay");
      return "paid";
    },
  });
  const payer: AgentLike = {
    id: "payer",
    generate: async () => {
      await pay.execute({});
      return { output: { text: "paid" } };
    },
  };
  const api = createService(
    { input: z.object({ name: z.string().default("Ada") }), row },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Task, outputs } = api;
  const workflow = api.service((ctx) => (
    <Workflow name="shop">
      <Sequence>
        <Task id="pick" output={outputs.row}>
          {() => {
            did.push(`pick for ${ctx.input.name}`);
            return { text: `picked for ${ctx.input.name}` };
          }}
        </Task>
        <Task id="pay" output={outputs.row} agent={payer}>
          Pay.
        </Task>
      </Sequence>
    </Workflow>
  ));
  expect(await runWorkflow(workflow, { runId: "first" })).toMatchObject({ status: "finished" });
  did.length = 0;
  const { store } = new ServiceDb(api.db);
  const runs = async () => (await store.listRuns({ limit: 10 })).map(({ runId }) => runId);
  return { workflow, did, runs };
}

/** An agent that changes something outside. */
function sender(): AgentLike {
  const send = defineTool({ name: "send", schema: z.object({}), sideEffect: true, execute: () => "sent" });
  return {
    id: "sender",
    generate: async () => {
      await send.execute({});
      return { output: { text: "sent" } };
    },
  };
}

it("makes a new run of the frame and drives it to its end", async () => {
  const { workflow, did } = await finished();
  const events: RunEvent[] = [];
  const replay = await replayRun(workflow, {
    runId: "first",
    nodeId: "pay",
    newRunId: "again",
    onProgress: (event) => void events.push(event),
  });
  expect(replay).toMatchObject({
    runId: "again",
    parentRunId: "first",
    keptNodes: ["pick::0"],
    laterNodes: ["pay::0"],
    effects: [],
    result: { runId: "again", status: "finished" },
  });
  expect(did).toEqual(["pay"]);
  expect(events.at(-1)).toMatchObject({ type: "RunFinished", runId: "again" });
});

it("takes what a fork takes: another input, and tasks that run again", async () => {
  const { workflow, did } = await finished();
  const asked = { runId: "first", input: { name: "Bo" }, resetNodes: ["pick"] };
  const { keptNodes, result } = await replayRun(workflow, asked);
  expect({ keptNodes, result }).toMatchObject({ keptNodes: [], result: { status: "finished" } });
  expect(did).toEqual(["pick for Bo", "pay"]);
});

it("makes no run as a dry run", async () => {
  const { workflow, did, runs } = await finished();
  const asked = { runId: "first", nodeId: "pay", dryRun: true };
  expect(await replayRun(workflow, asked)).toMatchObject({
    runId: null,
    laterNodes: ["pay::0"],
    result: null,
  });
  expect({ did, runs: await runs() }).toEqual({ did: [], runs: ["first"] });
});

it.each([
  ["of later tasks", { nodeId: "pay" }],
  ["of tasks that are to run again, however old they are", { resetNodes: ["pay"] }],
])(
  "makes no run when it would repeat effects outside %s, unless they are accepted",
  async (_which, moment) => {
    const { workflow, did, runs } = await finished({ sideEffect: true });
    const asked = { runId: "first", ...moment };
    const effects = ["pay::0 pay"];
    await expect(replayRun(workflow, asked)).rejects.toMatchObject({
      code: "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
      details: { runId: "first", effects },
    });
    expect({ did, runs: await runs() }).toEqual({ did: [], runs: ["first"] });
    expect(await replayRun(workflow, { ...asked, dryRun: true })).toMatchObject({ effects });
    const accepted = await replayRun(workflow, { ...asked, acceptEffects: true });
    expect(accepted).toMatchObject({ effects, result: { status: "finished" } });
    expect(did).toEqual(["pay"]);
  },
);

it("finds effects in all runs below a task", async () => {
  const agent = sender();
  const api = createService({ output: row }, { dbPath: ":memory:" });
  const { Workflow, Task, Subflow, outputs } = api;
  const work = (
    <Task id="work" output={outputs.output} agent={agent}>
      Send it.
    </Task>
  );
  const lowest = api.service(() => <Workflow name="lowest">{work}</Workflow>);
  const middle = api.service(() => (
    <Workflow name="middle">
      <Subflow id="below" workflow={lowest} output={outputs.output} />
    </Workflow>
  ));
  const top = api.service(() => (
    <Workflow name="top">
      <Subflow id="sub" workflow={middle} output={outputs.output} />
    </Workflow>
  ));
  expect(await runWorkflow(top, { runId: "first" })).toMatchObject({ status: "finished" });
  const { effects } = await replayRun(top, { runId: "first", frameNo: 1, dryRun: true });
  expect(effects).toEqual(["sub::0 send"]);
});

it("finds effects of a child run that is in a database of its own", async () => {
  const agent = sender();
  const apart = createService({ output: row }, { dbPath: ":memory:" });
  const api = createService({ output: row }, { dbPath: ":memory:" });
  const child = apart.service(() => (
    <apart.Workflow name="child">
      <apart.Task id="work" output={apart.outputs.output} agent={agent}>
        Send it.
      </apart.Task>
    </apart.Workflow>
  ));
  const top = api.service(() => (
    <api.Workflow name="top">
      <api.Subflow id="sub" workflow={child} output={api.outputs.output} />
    </api.Workflow>
  ));
  expect(await runWorkflow(top, { runId: "first" })).toMatchObject({ status: "finished" });
  const asked = { runId: "first", frameNo: 1, dryRun: true };
  expect(await replayRun(top, asked)).toMatchObject({ effects: ["sub::0 send"] });
  expect(await rewindRun(top, asked)).toMatchObject({ effects: ["sub::0 send"] });
});

it("leaves effects of tasks that are kept out of it", async () => {
  const { workflow, did } = await finished({ sideEffect: true });
  const { effects, result } = await replayRun(workflow, { runId: "first" });
  expect({ effects, status: result?.status, did }).toEqual({ effects: [], status: "finished", did: [] });
});

it.each([
  [{ runId: "first", frame: 2 }, "INVALID_INPUT"],
  [{ runId: "first", acceptEffects: "yes" }, "INVALID_INPUT"],
  [{ runId: "first", frameNo: 1, nodeId: "pay" }, "INVALID_INPUT"],
  [{ runId: "first", frameNo: 99 }, "SNAPSHOT_NOT_FOUND"],
  [{ runId: "first", newRunId: "first" }, "RUN_EXISTS"],
  [{ runId: "first", input: { name: 3 } }, "INVALID_INPUT"],
])("refuses %j as %s, and makes no run", async (options, code) => {
  const { workflow, runs } = await finished();
  await expect(replayRun(workflow, options as never)).rejects.toMatchObject({ code });
  expect(await runs()).toEqual(["first"]);
});
