import { join } from "node:path";
import { approveNode, createService, getRun, runWorkflow, ServiceDb, superviseRuns } from "treadle";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../support/temporary-folder.js";

const schemas = {
  row: z.object({ n: z.number() }),
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ n: z.number() }),
};

/** A run that waits for a decision, and code that throws while `broken` says so. */
async function open() {
  const api = createService(schemas, { dbPath: join(temporaryFolder(), "service.db") });
  const { store } = new ServiceDb(api.db);
  onTestFinished(async () => store.close());
  const { Workflow, Approval, Task, outputs, service } = api;
  const is = { broken: false };
  const ran: string[] = [];
  const workflow = service((ctx) => {
    if (is.broken) throw new Error("The tree cannot be drawn.");
    return (
      <Workflow name="waits">
        <Task id="first" output={outputs.row}>
          {() => {
            ran.push("first");
            return { n: 1 };
          }}
        </Task>
        <Approval id="ask" output={outputs.decision} request={{ title: "On?" }} />
        <Task id="last" output={outputs.output}>
          {{ n: ctx.outputs.decision.length }}
        </Task>
      </Workflow>
    );
  });
  await runWorkflow(workflow, { runId: "run", input: {} });
  const resume = () => runWorkflow(workflow, { runId: "run", resume: true });
  const nodes = async () =>
    Object.fromEntries((await store.listNodes("run")).map(({ nodeId, state }) => [nodeId, state]));
  return { workflow, is, ran, resume, store, nodes };
}

const FAILED = {
  status: "failed",
  error: { message: expect.stringContaining("The tree cannot be drawn.") },
};

it("a run whose code throws as soon as it is resumed fails, as it does when that happens later", async () => {
  const { workflow, is, resume } = await open();
  is.broken = true;
  const first = await resume();
  expect(first).toMatchObject(FAILED);
  expect(await getRun(workflow, "run")).toMatchObject({ status: "failed", resumeFailure: null });
  // And again when the failed run is resumed.
  expect(await resume()).toEqual(first);
});

it("what has ended stays, decisions stand, and the run continues once its code draws again", async () => {
  const { workflow, is, ran, resume, nodes } = await open();
  await approveNode(workflow, { runId: "run", nodeId: "ask", decidedBy: "ada" });
  is.broken = true;
  await resume();
  await resume();
  is.broken = false;
  expect(await resume()).toMatchObject({ status: "finished", output: { n: 1 } });
  expect(ran).toEqual(["first"]);
  expect(await nodes()).toEqual({ first: "finished", ask: "finished", last: "finished" });
});

it("an open question stays open for the resume that works", async () => {
  const { workflow, is, resume, nodes } = await open();
  is.broken = true;
  await resume();
  is.broken = false;
  expect(await resume()).toMatchObject({ status: "waiting-approval" });
  expect(await nodes()).toMatchObject({ first: "finished", ask: "waiting-approval" });
  await approveNode(workflow, { runId: "run", nodeId: "ask", decidedBy: "ada" });
  expect(await resume()).toMatchObject({ status: "finished" });
});

it("the log tells it as any failure of a run", async () => {
  const { is, resume, store } = await open();
  is.broken = true;
  await resume();
  const events = (await store.listEvents("run", { limit: 100 })).map(({ event }) => event);
  expect(events.at(-1)).toMatchObject({
    type: "RunFailed",
    error: { message: expect.stringContaining("cannot be drawn") },
  });
});

it("a supervisor that resumes it ends it in the same way", async () => {
  const { workflow, is, store } = await open();
  await approveNode(workflow, { runId: "run", nodeId: "ask", decidedBy: "ada" });
  is.broken = true;
  const stop = new AbortController();
  const ended: unknown[] = [];
  await superviseRuns(
    { waits: workflow },
    {
      signal: stop.signal,
      intervalMs: 20,
      onError: (_run, error) => stop.abort(error),
      onEnd: (result) => {
        ended.push(result);
        stop.abort();
      },
    },
  );
  expect(ended).toMatchObject([FAILED]);
  expect(await store.getRun("run")).toMatchObject({ status: "failed" });
});
