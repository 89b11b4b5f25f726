import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { listRuns, pruneRuns, ServiceDb } from "../../src/index.js";
import { findDueRuns } from "../../src/operations/supervise/due-runs.js";
import { listRuns as listRunsQuery } from "../../src/store/repositories/runs.js";
import { wakingRuns } from "../../src/store/repositories/waking-runs.js";
import { SQLITE } from "../../src/store/sqlite/dialect.js";
import { openScene } from "../support/engine/scene.js";

/** A finished run, and one whose status was overwritten. */
async function damaged() {
  const scene = openScene({});
  const { Workflow, service, db } = scene.api;
  const workflow = service(() => <Workflow name="w" />);
  for (const runId of ["broken", "whole"]) await scene.run(workflow, { runId });
  const file = new Database(scene.path);
  file.exec("UPDATE _service_runs SET status = 'asleep' WHERE run_id = 'broken'");
  const plan = ({ sql, params }: { sql: string; params: readonly unknown[] }) =>
    (file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params) as { detail: string }[]).map(
      ({ detail }) => detail,
    );
  return { ...scene, target: new ServiceDb(db), file, plan };
}

describe("a run whose status is none that a run has", () => {
  it("is named by every list that is narrowed to some statuses, on its first page", async () => {
    const { target } = await damaged();
    const { runs, damaged: unreadable } = await listRuns(target, { statuses: ["finished"] });
    expect(runs.map(({ runId }) => runId)).toEqual(["whole"]);
    expect(unreadable).toMatchObject([{ runId: "broken", damage: { code: "STORAGE_ERROR" } }]);
    const cursor = `${Date.now()}:z`;
    expect(await listRuns(target, { statuses: ["failed"], cursor })).not.toHaveProperty("damaged");
    expect((await listRuns(target, { statuses: ["failed"] })).damaged).toHaveLength(1);
  });

  it("is left out where another filter of the list does not fit it", async () => {
    const { target } = await damaged();
    const list = await listRuns(target, { statuses: ["failed"], workflowName: "another" });
    expect(list).toEqual({ runs: [], nextCursor: null });
  });

  it("is reported where runs are looked for that could continue, and hinders no other", async () => {
    const { store, time, target } = await damaged();
    const told: string[] = [];
    expect(await findDueRuns(store, time.now(), (runId) => told.push(runId))).toEqual([]);
    expect(told).toEqual(["broken"]);
    expect(await pruneRuns(target, { olderThanMs: 0 })).toMatchObject({ runIds: ["whole"] });
  });

  it("is found without looking at every run", async () => {
    const { plan, file } = await damaged();
    const all = [
      listRunsQuery({ unknownStatus: true, limit: 1 }, { inputs: [], ...SQLITE }),
      wakingRuns({ nowMs: 0, limit: 1 }),
    ];

    // Indexes of nothing but runs that may continue are gone through.
    const ofAll = /^SCAN (?!\w+ USING INDEX _service_(runs_held|inbox_unseen|nodes_for_child)$)/;
    for (const steps of all.map(plan)) expect(steps.filter((step) => ofAll.test(step))).toEqual([]);
    file.close();
  });
});
