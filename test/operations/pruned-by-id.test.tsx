import {
  approvalDecision,
  cancelRun,
  ContinueAsNew,
  createService,
  listRuns,
  pruneRuns,
  runWorkflow,
  ServiceDb,
  type ServiceWorkflow,
} from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { claimRun } from "../../src/engine/session/lease.js";
import type { RunRow } from "../../src/model/run.js";
import { systemClock } from "../../src/util/clock.js";

/** Runs that have ended, a run that waits for its child, and their database. */
async function runs() {
  const api = createService(
    { input: z.object({}), decision: approvalDecision, output: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Task, Approval, Subflow, outputs } = api;
  const task = (
    <Task id="a" output={outputs.output}>
      {{ n: 1 }}
    </Task>
  );
  const quick = api.service(() => <Workflow name="quick">{task}</Workflow>);
  const child = api.service(() => (
    <Workflow name="child">
      <Sequence>
        <Approval id="ok" output={outputs.decision} request={{ title: "Go?" }} />
        {task}
      </Sequence>
    </Workflow>
  ));
  const parent = api.service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} />
    </Workflow>
  ));
  const chained = api.service((ctx) => (
    <Workflow name="chained">{ctx.continuation === undefined ? <ContinueAsNew state={1} /> : task}</Workflow>
  ));
  for (const runId of ["one", "two", "three"]) await runWorkflow(quick, { runId, input: {} });
  await runWorkflow(parent, { runId: "family", input: {} });
  return { quick, parent, chained, store: new ServiceDb(api.db).store };
}

const idsOf = async (workflow: ServiceWorkflow) =>
  (await listRuns(workflow)).runs.map(({ runId }) => runId).toSorted();

it("deletes the runs that are named, whenever they ended, and no other", async () => {
  const { quick } = await runs();
  expect(await pruneRuns(quick, { runIds: ["one", "two"] })).toEqual({
    runIds: ["one", "two"],
    dryRun: false,
  });
  expect(await idsOf(quick)).toEqual(["family", "family:sub:0", "three"]);
});

it("keeps what has not ended, names what there is not, and deletes the others", async () => {
  const { quick } = await runs();
  const { runIds, kept } = await pruneRuns(quick, { runIds: ["family", "nobody", "family:sub:0", "one"] });
  expect(runIds).toEqual(["one"]);
  expect(kept).toMatchObject([
    { runId: "family", code: "RUN_STILL_RUNNING", message: expect.stringContaining("has not ended") },
    { runId: "nobody", code: "RUN_NOT_FOUND" },
    { runId: "family:sub:0", code: "RUN_STILL_RUNNING" },
  ]);
  expect(await idsOf(quick)).toContain("family");
});

it("takes the child runs along, and keeps a run whose child goes on", async () => {
  const { quick, parent, store } = await runs();
  const lastOfChild = async () => (await pruneRuns(quick, { runIds: ["family"] })).kept?.[0]?.message;
  expect(await lastOfChild()).toContain("family has not ended");
  await cancelRun(parent, { runId: "family" });
  expect((await store.getRun("family:sub:0"))?.status).toBe("cancelled");
  expect((await pruneRuns(quick, { runIds: ["family"] })).runIds).toEqual(["family", "family:sub:0"]);
});

it("keeps the ended child of a run that goes on, and a run that a process has claimed to continue with", async () => {
  const { quick, parent, store } = await runs();
  await cancelRun(parent, { runId: "family:sub:0" });
  expect((await pruneRuns(quick, { runIds: ["family:sub:0"] })).kept).toMatchObject([
    { code: "RUN_STILL_RUNNING", message: expect.stringContaining("needs") },
  ]);
  const lease = await claimRun(store, (await store.getRun("one")) as RunRow, {
    clock: systemClock,
    force: false,
  });
  expect((await pruneRuns(quick, { runIds: ["one"] })).kept).toMatchObject([{ code: "RUN_STILL_RUNNING" }]);
  await store.releaseLease(lease);
  expect((await pruneRuns(quick, { runIds: ["one"] })).runIds).toEqual(["one"]);
});

it("deletes a run that continued as another one without that one", async () => {
  const { chained } = await runs();
  const { runId: next } = await runWorkflow(chained, { runId: "chain", input: {} });
  expect(next).not.toBe("chain");
  expect((await pruneRuns(chained, { runIds: ["chain"] })).runIds).toEqual(["chain"]);
  expect(await idsOf(chained)).toContain(next);
});

it("only says what it would delete in a dry run", async () => {
  const { quick } = await runs();
  const before = await idsOf(quick);
  expect(await pruneRuns(quick, { runIds: ["one", "nobody"], dryRun: true })).toMatchObject({
    runIds: ["one"],
    dryRun: true,
    kept: [{ runId: "nobody" }],
  });
  expect(await idsOf(quick)).toEqual(before);
});

it.each([{ olderThanMs: 1 }, { statuses: ["failed" as const] }, { workflowName: "quick" }, { limit: 1 }])(
  "goes with no other choice: %j",
  async (choice) => {
    const { quick } = await runs();
    await expect(pruneRuns(quick, { runIds: ["one"], ...choice })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(Object.keys(choice)[0] as string),
    });
  },
);
