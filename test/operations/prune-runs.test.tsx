import { describe, expect, it } from "vitest";
import { z } from "zod";
import { claimRun } from "../../src/engine/session/lease.js";
import {
  listRuns,
  pruneRuns,
  runWorkflow,
  ServiceDb,
  type ServiceWorkflow,
  signalRun,
} from "../../src/index.js";
import type { RunRow } from "../../src/model/run.js";
import { systemClock } from "../../src/util/clock.js";
import { openScene } from "../support/engine/scene.js";
import { nextMillisecond } from "../support/next-millisecond.js";
import { quiet } from "../support/quiet-store.js";

const schemas = { row: z.object({ n: z.number() }), output: z.object({ n: z.number() }) };

function family() {
  const { Workflow, Sequence, Branch, ContinueAsNew, Signal, Subflow, Task, outputs, service } =
    openScene(schemas).api;
  let starts = 0;
  const quick = service(() => (
    <Workflow name="quick">
      <Task id="start" output={outputs.output}>
        {() => ({ n: ++starts })}
      </Task>
    </Workflow>
  ));
  /** Continues once as new, then waits. */
  const chained = service((ctx) => (
    <Workflow name="chained">
      <Branch
        if={ctx.continuation === undefined}
        then={
          <Sequence>
            <Task id="start" output={outputs.row}>
              {() => ({ n: ++starts })}
            </Task>
            <ContinueAsNew state={1} />
          </Sequence>
        }
        else={<Signal id="go" schema={outputs.output} />}
      />
    </Workflow>
  ));
  const parentOf = (child: ServiceWorkflow) =>
    service(() => (
      <Workflow name="parent">
        <Sequence>
          <Subflow id="sub" workflow={child} output={outputs.output} />
          <Signal id="end" schema={outputs.row} />
        </Sequence>
      </Workflow>
    ));
  return { quick, chained, parentOf, starts: () => starts };
}

const idsOf = async (workflow: ServiceWorkflow) =>
  (await listRuns(workflow)).runs.map(({ runId }) => runId).toSorted();

/** Everything that has ended before this call. */
async function pruneAll(workflow: ServiceWorkflow): Promise<string[]> {
  await nextMillisecond();
  return (await pruneRuns(workflow, { olderThanMs: 0 })).runIds.toSorted();
}

describe("pruning", () => {
  it("takes the cached rows along whose time is over, unless it only looks", async () => {
    const { Workflow, Task, outputs, service } = openScene(schemas).api;
    const workflow = service(() => (
      <Workflow name="cached">
        <Task id="start" output={outputs.row} cache={{ ttlMs: 1 }}>
          {() => ({ n: 1 })}
        </Task>
      </Workflow>
    ));
    await runWorkflow(workflow, { runId: "run", input: {} });
    const { sql } = quiet(new ServiceDb(workflow.db).store);
    const cached = () => sql.all("SELECT count(*) FROM _service_cache", [])[0]?.[0];
    await nextMillisecond();
    await nextMillisecond();
    await pruneRuns(workflow, { dryRun: true });
    expect(cached()).toBe(1);
    await pruneRuns(workflow);
    expect(cached()).toBe(0);
  });

  it("keeps a run that a process has claimed to continue with, until it releases it", async () => {
    const { quick } = family();
    await runWorkflow(quick, { runId: "run", input: {} });
    const { store } = new ServiceDb(quick.db);
    const run = (await store.getRun("run")) as RunRow;
    const lease = await claimRun(store, run, { clock: systemClock, force: false });
    expect(await pruneAll(quick)).toEqual([]);
    expect((await pruneRuns(quick, { olderThanMs: 0, dryRun: true })).runIds).toEqual([]);
    await store.releaseLease(lease);
    expect(await pruneAll(quick)).toEqual(["run"]);
  });

  it("keeps the ended child of a run that continues", async () => {
    const { quick, parentOf, starts } = family();
    const parent = parentOf(quick);
    await runWorkflow(parent, { runId: "run", input: {} });
    expect(await pruneAll(parent)).toEqual([]);
    await signalRun(parent, { runId: "run", signal: "end", data: { n: 0 } });
    expect(await runWorkflow(parent, { runId: "run", resume: true })).toMatchObject({ status: "finished" });
    expect(starts()).toBe(1);
    expect(await pruneAll(parent)).toEqual(["run", "run:sub:0"]);
    expect(await idsOf(parent)).toEqual([]);
  });

  it("keeps the whole chain of a child that its parent waits for, and its end until it is taken up", async () => {
    const { chained, parentOf, starts } = family();
    const parent = parentOf(chained);
    await runWorkflow(parent, { runId: "run", input: {} });
    const before = await idsOf(parent);
    expect(before).toHaveLength(3);
    expect(await pruneAll(parent)).toEqual([]);

    const newest = before.find((id) => !id.startsWith("run")) as string;
    await signalRun(chained, { runId: newest, signal: "go", data: { n: 7 } });
    expect(await runWorkflow(chained, { runId: newest, resume: true })).toMatchObject({ status: "finished" });
    expect(await pruneAll(parent)).toEqual([]);
    await runWorkflow(parent, { runId: "run", resume: true });
    expect(starts()).toBe(1);

    await signalRun(parent, { runId: "run", signal: "end", data: { n: 0 } });
    await runWorkflow(parent, { runId: "run", resume: true });
    expect(await pruneAll(parent)).toEqual(before);
  });

  it("deletes the old runs of a chain without a parent while its newest continues", async () => {
    const { chained } = family();
    const { runId } = await runWorkflow(chained, { runId: "run", input: {} });
    expect(await pruneAll(chained)).toEqual(["run"]);
    expect(await idsOf(chained)).toEqual([runId]);
  });

  it("says beforehand exactly what it would delete, and counts only that against the limit", async () => {
    const { quick, parentOf } = family();
    const parent = parentOf(quick);
    await runWorkflow(quick, { runId: "alone", input: {} });
    await runWorkflow(parent, { runId: "run", input: {} });
    await nextMillisecond();
    const request = { olderThanMs: 0, limit: 1 };
    expect((await pruneRuns(parent, { ...request, dryRun: true })).runIds).toEqual(["alone"]);
    expect((await pruneRuns(parent, request)).runIds).toEqual(["alone"]);
  });
});
