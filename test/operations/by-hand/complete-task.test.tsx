import { join } from "node:path";
import {
  approvalDecision,
  completeTask,
  createService,
  getNode,
  listEvents,
  runWorkflow,
  ServiceDb,
  signalRun,
  skipTask,
} from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { openExisting } from "../../../src/store/open-existing.js";
import { type Blocks, openBlocks } from "../../support/engine/blocks.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const schemas = {
  input: z.object({}),
  order: z.object({ n: z.number().int().min(1), at: z.coerce.date(), code: z.string().trim() }),
  output: z.object({ text: z.string() }),
};

/** A task that fails, or waits for a signal, and one that makes text of its row. */
function ordering(how: "fails" | "waits" = "fails", order = schemas.order) {
  const dbPath = join(temporaryFolder(), "service.db");
  const api = createService({ ...schemas, order }, { dbPath });
  const { Workflow, Sequence, Task, Signal, outputs } = api;
  let tries = 0;
  const workflow = api.service((ctx) => (
    <Workflow name="ordering">
      <Sequence>
        {how === "waits" ? (
          <Signal id="order" schema={outputs.order} />
        ) : (
          <Task id="order" output={outputs.order} noRetry>
            {() => {
              tries += 1;
              throw new Error("the shop is closed");
            }}
          </Task>
        )}
        <Task id="text" output={outputs.output}>
          {() => {
            const { n, at, code } = ctx.output("order", { nodeId: "order" });
            return { text: `${n} ${at.toISOString()} ${code}` };
          }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const { store } = new ServiceDb(api.db);
  const start = () => runWorkflow(workflow, { runId: "run", input: {} });
  const resume = () => runWorkflow(workflow, { runId: "run", resume: true });
  return { workflow, store, dbPath, start, resume, tries: () => tries };
}

const at = { runId: "run", nodeId: "order" };
const row = { n: 3, at: "2026-05-01T00:00:00.000Z", code: " A7 " };
const text = "3 2026-05-01T00:00:00.000Z A7";

it("a task that failed with its run gets the row, through its schema, and the run goes on with what depends on it", async () => {
  const { workflow, start, resume, tries } = ordering();
  expect((await start()).status).toBe("failed");
  const done = await completeTask(workflow, { ...at, output: row, completedBy: "ada", note: "by phone" });
  expect(done).toEqual({ ...at, iteration: 0, action: "complete", needsResume: true, seq: null });
  expect(await resume()).toMatchObject({ status: "finished", output: { text } });
  expect(tries()).toBe(1);
  const { node, attempts } = await getNode(workflow, at);
  expect(node).toMatchObject({ state: "finished", error: null });
  expect(attempts.map(({ state }) => state)).toEqual(["failed"]);
  expect(await listEvents(workflow, "run", { types: ["NodeCompletedByHand"] })).toMatchObject([
    { event: { nodeId: "order", completedBy: "ada", note: "by phone" } },
  ]);
});

it("a task that waits gets the row, and the run needs no resume of its own", async () => {
  const { workflow, start, resume } = ordering("waits");
  expect((await start()).status).toBe("waiting-event");
  expect(await completeTask(workflow, { ...at, output: row })).toMatchObject({ needsResume: false });
  expect(await resume()).toMatchObject({ status: "finished", output: { text } });
});

it("the process that drives the run takes the row up at once", async () => {
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Parallel, Signal, Task, outputs } = api;
  let end = () => {};
  const workflow = api.service(() => (
    <Workflow name="busy">
      <Parallel>
        <Signal id="order" schema={outputs.order} />
        <Task id="busy" output={outputs.output}>
          {() => new Promise<{ text: string }>((resolve) => (end = () => resolve({ text: "" })))}
        </Task>
      </Parallel>
    </Workflow>
  ));
  const running = runWorkflow(workflow, { runId: "run", input: {} });
  await expect
    .poll(async () => (await getNode(workflow, at).catch(() => null))?.node.state)
    .toBe("waiting-event");
  await completeTask(workflow, { ...at, output: row });
  await expect.poll(async () => (await getNode(workflow, at)).node.state).toBe("finished");
  expect((await getNode(workflow, at)).output).toMatchObject({ n: 3, code: "A7" });
  end();
  expect((await running).status).toBe("finished");
});

it("a row that does not fit is refused by field, and nothing is kept", async () => {
  const { workflow, start, store } = ordering();
  await start();
  await expect(completeTask(workflow, { ...at, output: { ...row, n: 0 } })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { issues: [expect.stringContaining("n: ")] },
  });
  for (const output of [null, [row], "row", undefined]) {
    await expect(completeTask(workflow, { ...at, output } as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("output"),
    });
  }
  const tooLarge = { ...row, code: "x".repeat(1024 * 1024) };
  await expect(completeTask(workflow, { ...at, output: tooLarge })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { path: "code", limitBytes: 1024 * 1024 },
  });
  expect(await store.pendingIntents("run")).toEqual([]);
});

it.each(["fails", "waits"] as const)(
  "of a caller who does not know the schema the driving process refuses the row of a task that %s, and takes a better one",
  async (how) => {
    const { dbPath, start, resume, workflow } = ordering(how);
    const { status } = await start();
    const stranger = new ServiceDb(openExisting(dbPath));
    // What JSON Schema can say is written down with the wait, or the failure.
    await expect(completeTask(stranger, { ...at, output: { ...row, n: 0 } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { issues: [expect.stringContaining("n: ")] },
    });
    await completeTask(stranger, { ...at, output: { ...row, at: "soon" }, completedBy: "ada" });
    expect((await resume()).status).toBe(status);
    expect(await listEvents(workflow, "run", { types: ["InterventionRefused"] })).toMatchObject([
      {
        event: {
          action: "complete",
          code: "INVALID_OUTPUT",
          by: "ada",
          message: expect.stringContaining(": "),
        },
      },
    ]);
    await completeTask(stranger, { ...at, output: row });
    expect(await resume()).toMatchObject({ status: "finished", output: { text } });
    await stranger.store.close();
  },
);

it("of two rows that are kept for a task the first counts, and the log says that the other does not", async () => {
  const { workflow, store, start, resume } = ordering();
  await start();
  for (const n of [3, 4]) {
    const intent = { kind: "complete", nodeId: "order", iteration: 0, output: { ...row, n } } as const;
    await store.submitIntent({ runId: "run", intent, createdAtMs: n });
  }
  expect(await resume()).toMatchObject({ status: "finished", output: { text } });
  expect(await listEvents(workflow, "run", { types: ["InterventionRefused"] })).toMatchObject([
    { event: { code: "NODE_ENDED" } },
  ]);
});

it("a schema may take its time", async () => {
  const slow = schemas.order.refine(async ({ n }) => n !== 13, { path: ["n"], error: "unlucky" });
  const { workflow, start, resume } = ordering("fails", slow as typeof schemas.order);
  await start();
  await expect(completeTask(workflow, { ...at, output: { ...row, n: 13 } })).rejects.toMatchObject({
    details: { issues: ["n: unlucky"] },
  });
  await completeTask(workflow, { ...at, output: row });
  expect((await resume()).status).toBe("finished");
});

it("what one person did stands, and the next one learns who it was", async () => {
  const { workflow, start } = ordering();
  await start();
  await completeTask(workflow, { ...at, output: row, completedBy: "ada" });
  const late = {
    code: "ALREADY_DECIDED",
    message: expect.stringContaining("completed by hand by ada"),
    details: { decision: { kind: "complete", by: "ada" } },
  };
  await expect(completeTask(workflow, { ...at, output: row })).rejects.toMatchObject(late);
  await expect(skipTask(workflow, { ...at, dryRun: true })).rejects.toMatchObject(late);
});

it("of two who do it at the same moment one is told", async () => {
  const { workflow, start } = ordering();
  await start();
  const both = await Promise.allSettled([
    completeTask(workflow, { ...at, output: row }),
    skipTask(workflow, at),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("a dry run checks all of it and keeps nothing", async () => {
  const { workflow, start, store } = ordering();
  await start();
  expect(await completeTask(workflow, { ...at, output: row, dryRun: true })).toMatchObject({
    needsResume: true,
  });
  await expect(completeTask(workflow, { ...at, output: {}, dryRun: true })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  expect(await store.pendingIntents("run")).toEqual([]);
});

it("is refused for a task that has ended, and for a run that is over", async () => {
  const { workflow, start, resume } = ordering("waits");
  await start();
  await expect(completeTask(workflow, { ...at, nodeId: "none", output: row })).rejects.toMatchObject({
    code: "NODE_NOT_FOUND",
  });
  await expect(completeTask(workflow, { ...at, iteration: 1, output: row })).rejects.toMatchObject({
    code: "NODE_NOT_FOUND",
    message: expect.stringContaining("iteration 1"),
  });
  await expect(completeTask(workflow, { runId: "no", nodeId: "a", output: row })).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  await signalRun(workflow, { runId: "run", signal: "order", data: row });
  await resume();
  await expect(completeTask(workflow, { ...at, output: row })).rejects.toMatchObject({
    code: "RUN_NOT_ACTIVE",
    details: { status: "finished" },
  });
});

const byHand = ({ workflowOf, saga }: Blocks) => workflowOf(saga("compensate-and-fail"));

it("a failed step of a saga that has undone nothing is completed, and the saga goes on", async () => {
  const scene = openBlocks();
  const workflow = byHand(scene);
  scene.broken.add("do1");
  await runWorkflow(workflow, { runId: "run", input: {} });
  scene.ran.length = 0;
  await completeTask(workflow, { runId: "run", nodeId: "do1", output: { id: "by hand" } });
  expect(await runWorkflow(workflow, { runId: "run", resume: true })).toMatchObject({ status: "finished" });
  expect(scene.ran).toEqual(["do2", "do3", "after"]);
});

it("a failed step of a saga that has undone the others is refused: it stays as it is", async () => {
  const scene = openBlocks();
  const workflow = byHand(scene);
  scene.broken.add("do3");
  await runWorkflow(workflow, { runId: "run", input: {} });
  for (const act of [
    () => completeTask(workflow, { runId: "run", nodeId: "do3", output: { id: "by hand" } }),
    () => skipTask(workflow, { runId: "run", nodeId: "do3" }),
  ]) {
    await expect(act()).rejects.toMatchObject({
      code: "NODE_ENDED",
      message: expect.stringContaining("undone"),
    });
  }
});

it.each(["ok", "guarded"])("the decision on %s is not taken before it is asked for", async (nodeId) => {
  const api = createService(
    { input: z.object({}), decision: approvalDecision, output: schemas.output },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Signal, Approval, Task, outputs } = api;
  const workflow = api.service(() => (
    <Workflow name="gated">
      <Sequence>
        <Signal id="first" schema={outputs.output} />
        <Approval id="ok" output={outputs.decision} request={{ title: "Go?" }} />
        <Task id="guarded" output={outputs.output} needsApproval>
          {{ text: "" }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("waiting-event");
  const gate = { runId: "run", nodeId };
  for (const act of [() => completeTask(workflow, { ...gate, output: {} }), () => skipTask(workflow, gate)]) {
    await expect(act()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("needs a decision, which is not asked for yet"),
    });
  }
});
