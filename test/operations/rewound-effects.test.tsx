import { expect, it } from "vitest";
import { z } from "zod";
import { createService, defineTool, rewindRun, runWorkflow, ServiceDb } from "../../src/index.js";

const schemas = { input: z.object({}), step: z.object({ n: z.number() }) };

interface Shop {
  /** What was done and undone outside, in this order. */
  log: string[];
  /** The next reverts fail. */
  isDown?: boolean;
  /** The charges fail. */
  isRefusing?: boolean;
}

/** A run whose task charges twice, and after which another one ends. */
function shopOf(shop: Shop, revertible = true) {
  const api = createService(schemas, { dbPath: ":memory:" });
  const charge = defineTool({
    name: "charge",
    schema: z.object({ cents: z.number() }),
    sideEffect: true,
    execute({ cents }, { idempotencyKey }) {
      shop.log.push(`charge ${cents} ${idempotencyKey}`);
      if (shop.isRefusing === true) throw new Error("no money");
      return { id: `c${cents}`, at: new Date(cents) };
    },
    ...(revertible && {
      revert({ cents }, result: { id: string; at: Date } | undefined, { idempotencyKey, outcome }) {
        if (shop.isDown === true) throw new Error("the shop is down");
        shop.log.push(`refund ${cents} ${result?.id} ${result?.at.getTime()} ${outcome} ${idempotencyKey}`);
      },
    }),
  });
  const agent = {
    id: "clerk",
    tools: { charge },
    generate: async () => {
      await charge.execute({ cents: 1 }).catch(() => {});
      await charge.execute({ cents: 2 }).catch(() => {});
      return { text: '{"n":1}' };
    },
  };
  const workflow = api.service(() => (
    <api.Workflow name="shop">
      <api.Sequence>
        <api.Task id="pay" output={api.outputs.step} agent={agent}>
          Charge.
        </api.Task>
        <api.Task id="thank" output={api.outputs.step}>
          {() => ({ n: 2 })}
        </api.Task>
      </api.Sequence>
    </api.Workflow>
  ));
  const { store } = new ServiceDb(api.db);
  return {
    api,
    workflow,
    store,
    run: () => runWorkflow(workflow, { runId: "run", input: {} }),
    resume: () => runWorkflow(workflow, { runId: "run", resume: true }),
    rewind: (options: object = {}) => rewindRun(workflow, { runId: "run", frameNo: 1, ...options }),
  };
}

const CHARGES = ["charge 1 run:pay:0:charge:1", "charge 2 run:pay:0:charge:2"];

it("undoes the calls behind which the run goes back, the newest first, with what they were given and gave", async () => {
  const shop: Shop = { log: [] };
  const { run, rewind, store } = shopOf(shop);
  await run();
  expect(await rewind()).toMatchObject({ reverts: ["pay::0 charge", "pay::0 charge"], effects: [] });
  expect(shop.log).toEqual([
    ...CHARGES,
    "refund 2 c2 2 done run:pay:0:charge:2:revert",
    "refund 1 c1 1 done run:pay:0:charge:1:revert",
  ]);
  const types = ["EffectRevertStarted", "EffectRevertFinished", "RunRewound"] as const;
  const events = await store.listEvents("run", { types: [...types], limit: 9 });
  expect(events.map(({ event }) => `${event.type} ${"seq" in event ? event.seq : ""}`)).toEqual([
    "EffectRevertStarted 2",
    "EffectRevertFinished 2",
    "EffectRevertStarted 1",
    "EffectRevertFinished 1",
    "RunRewound ",
  ]);
});

it("makes the calls again under other keys, and undoes only those the next time", async () => {
  const shop: Shop = { log: [] };
  const { run, rewind, resume } = shopOf(shop);
  await run();
  await rewind();
  await resume();
  expect(shop.log.slice(4)).toEqual(CHARGES.map((charge) => `${charge}:after-1`));
  await rewind();
  expect(shop.log.slice(6)).toEqual([
    "refund 2 c2 2 done run:pay:0:charge:2:after-1:revert",
    "refund 1 c1 1 done run:pay:0:charge:1:after-1:revert",
  ]);
});

it("leaves alone what was done before the frame", async () => {
  const shop: Shop = { log: [] };
  const { run, rewind, store } = shopOf(shop);
  await run();
  const [end] = await store.listEvents("run", { types: ["NodeFinished"], nodeId: "pay", limit: 1 });
  const frames = await store.listEvents("run", {
    types: ["FrameCommitted"],
    afterSeq: end?.seq ?? 0,
    limit: 1,
  });
  const event = frames[0]?.event;
  const frameNo = event?.type === "FrameCommitted" ? event.frameNo : -1;
  expect(await rewind({ frameNo })).toMatchObject({ resetNodes: ["thank::0"], reverts: [] });
  expect(shop.log).toEqual(CHARGES);
});

it("undoes a call that has thrown: it may have changed something all the same", async () => {
  const shop: Shop = { log: [], isRefusing: true };
  const { run, rewind } = shopOf(shop);
  await run();
  await rewind();
  expect(shop.log[2]).toBe("refund 2 undefined undefined failed run:pay:0:charge:2:revert");
});

it("stays where it is when one cannot be undone, and goes on from there the next time", async () => {
  const shop: Shop = { log: [], isDown: true };
  const { run, rewind, store } = shopOf(shop);
  await run();
  await expect(rewind()).rejects.toMatchObject({ code: "TIME_TRAVEL_REVERT_FAILED" });
  expect(await store.getRun("run")).toMatchObject({ status: "finished", ownerId: null });
  const [failed] = await store.listEvents("run", { types: ["EffectRevertFailed"], limit: 1 });
  expect(failed?.event).toMatchObject({ nodeId: "pay", toolName: "charge", error: "the shop is down" });
  shop.isDown = false;
  await rewind();
  expect(shop.log).toHaveLength(4);
});

it.each([
  ["a tool that cannot be undone", false, {}],
  ["effects that are to be left alone", true, { revert: false }],
])("refuses %s unless that is accepted", async (_what, revertible, options) => {
  const shop: Shop = { log: [] };
  const { run, rewind } = shopOf(shop, revertible);
  await run();
  await expect(rewind(options)).rejects.toMatchObject({
    code: "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    details: { effects: ["pay::0 charge"] },
  });
  expect(await rewind({ ...options, acceptEffects: true })).toMatchObject({
    reverts: [],
    effects: ["pay::0 charge"],
  });
  expect(shop.log).toEqual(CHARGES);
});

it("only says what it would undo", async () => {
  const shop: Shop = { log: [] };
  const { run, rewind, api } = shopOf(shop);
  await run();
  const told = { reverts: ["pay::0 charge", "pay::0 charge"], effects: [] };
  expect(await rewind({ dryRun: true })).toMatchObject(told);
  const options = { runId: "run", frameNo: 1, dryRun: true };
  expect(await rewindRun(new ServiceDb(api.db), options)).toMatchObject(told);
  expect(shop.log).toEqual(CHARGES);
});

it("cannot undo without the workflow's code, which has the tools", async () => {
  const shop: Shop = { log: [] };
  const { run, api } = shopOf(shop);
  await run();
  await expect(rewindRun(new ServiceDb(api.db), { runId: "run", frameNo: 1 })).rejects.toMatchObject({
    code: "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
  });
});

it("goes forward to rows of calls that were undone only where that is accepted", async () => {
  const shop: Shop = { log: [] };
  const { run, rewind, store } = shopOf(shop);
  await run();
  const { frameNo = 0 } = (await store.getRun("run")) ?? {};
  await rewind();
  await expect(rewind({ frameNo })).rejects.toMatchObject({
    code: "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
    details: { undone: ["pay::0 charge"], effects: [] },
  });
  expect(await rewind({ frameNo, acceptEffects: true })).toMatchObject({ undone: ["pay::0 charge"] });
});

it("does not count what was undone as an effect of a fork", async () => {
  const shop: Shop = { log: [] };
  const { run, rewind, workflow } = shopOf(shop);
  await run();
  await rewind();
  const { forkForReplay } = await import("../../src/operations/replay-run.js");
  const { effects } = await forkForReplay(workflow, { runId: "run", frameNo: 1, dryRun: true });
  expect(effects).toEqual([]);
});

it("a call is in the log of its run before it is made", async () => {
  const api = createService(schemas, { dbPath: ":memory:" });
  const { store } = new ServiceDb(api.db);
  const seen: unknown[] = [];
  const charge = defineTool({
    name: "charge",
    schema: z.object({}),
    sideEffect: true,
    async execute() {
      const events = await store.listEvents("r", { types: ["ToolCallStarted"], limit: 9 });
      seen.push(...events.map(({ event }) => (event as { toolName?: string }).toolName));
      seen.push(...(await store.listToolEffects("r")).map(({ outcome }) => outcome));
    },
    revert() {},
  });
  const agent = {
    id: "clerk",
    tools: { charge },
    generate: async () => {
      await charge.execute({});
      return { text: '{"n":1}' };
    },
  };
  const workflow = api.service(() => (
    <api.Workflow name="shop">
      <api.Task id="pay" output={api.outputs.step} agent={agent}>
        Charge.
      </api.Task>
    </api.Workflow>
  ));
  expect(await runWorkflow(workflow, { runId: "r", input: {} })).toMatchObject({ status: "finished" });
  expect(seen).toEqual(["charge", "unknown"]);
});
