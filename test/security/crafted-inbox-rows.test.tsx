import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, explainRun, listApprovals } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { decision: z.object({ approved: z.boolean() }) };

/** A run that waits for a decision, and rows that were written into its inbox by hand. */
async function withRows(rows: readonly [kind: string, payload: string][]) {
  const scene = openScene(schemas);
  const { Workflow, Approval, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Approval id="ask" output={outputs.decision} request={{ title: "Ship it?" }} />
    </Workflow>
  ));
  await scene.drive(workflow);
  const db = new Database(scene.path);
  const insert = db.prepare(
    "INSERT INTO _service_inbox (run_no, kind, payload_json, created_at_ms) VALUES (1, ?, ?, 0)",
  );
  for (const row of rows) insert.run(...row);
  db.close();
  return { scene, workflow };
}

const CRAFTED: [kind: string, payload: string][] = [
  ["approval", "null"],
  ["approval", '{"nodeId":"ask","iteration":0}'],
  ["approval", '{"nodeId":"ask","iteration":0,"decision":{"approved":"yes"}}'],
  ["signal", '{"data":1}'],
  ["wake", '{"nodeId":7}'],
  ["hijack", '{"nodeId":"ask","iteration":0,"action":"keep"}'],
  ["pause", "{}"],
  ["cancel", "not json"],
];

describe("rows of the inbox that no caller could have sent", () => {
  it("are put aside, each with an error that names table and row, and do not hold up the run", async () => {
    const { scene, workflow } = await withRows(CRAFTED);
    await approveNode(workflow, { runId: "run", nodeId: "ask" });
    expect(await scene.resume(workflow)).toMatchObject({ status: "finished" });
    const put = await scene.events("IntentUnreadable");
    expect(put.map(({ intentId, error }) => [intentId, error.code])).toEqual(
      CRAFTED.map((_, index) => [index + 1, "STORAGE_ERROR"]),
    );
    expect(put[0]?.error.message).toContain("_service_inbox");
    expect(await scene.store.pendingIntents("run")).toEqual([]);
  });

  it("keep no caller from reading what the run waits for", async () => {
    const { workflow } = await withRows(CRAFTED);
    expect((await explainRun(workflow, "run")).blockers).toMatchObject([{ kind: "approval", nodeId: "ask" }]);
    expect(await listApprovals(workflow)).toMatchObject([{ nodeId: "ask" }]);
  });
});
