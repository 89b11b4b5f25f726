import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { callIn } from "../support/in-process.js";
import { Workspace } from "../support/treadle.js";
import { GATED } from "../support/workflows.js";

/** Two runs that wait for a decision; the row of `broken` is changed by hand. */
async function damagedBy(change: string): Promise<string> {
  const workspace = new Workspace({ "g.tsx": GATED });
  for (const id of ["broken", "whole"]) await workspace.treadle(["up", "g.tsx", "--run-id", id]);
  const db = new Database(join(workspace.folder, "service.db"));
  db.exec(change);
  db.close();
  return workspace.folder;
}

interface Listed {
  runs: { runId: string }[];
  items: { runId: string }[];
  damaged?: { runId: string; damage: { code: string } }[];
}

async function answer(folder: string, argv: string[]): Promise<Listed> {
  const { stdout } = await callIn(folder, [...argv, "--json"]);
  return JSON.parse(stdout) as Listed;
}

const BROKEN = [expect.objectContaining({ runId: "broken" })];

describe("a run whose own row cannot be read", () => {
  it("is named by ps, which shows the others", async () => {
    const folder = await damagedBy("UPDATE _service_runs SET status = 'asleep' WHERE run_id = 'broken'");
    const listed = await answer(folder, ["ps"]);
    expect(listed.runs.map(({ runId }) => runId)).toEqual(["whole"]);
    expect(listed.damaged?.map(({ runId, damage }) => [runId, damage.code])).toEqual([
      ["broken", "STORAGE_ERROR"],
    ]);
    const { stdout } = await callIn(folder, ["ps"]);
    expect(stdout).toContain(
      'broken cannot be read: Row "broken" in table _service_runs: status holds "asleep"',
    );
  });

  it("is named by inbox, which shows what else waits for a person", async () => {
    const folder = await damagedBy("UPDATE _service_runs SET error_json = '[]' WHERE run_id = 'broken'");
    const listed = await answer(folder, ["inbox"]);
    expect(listed.items.map(({ runId }) => runId)).toEqual(["whole"]);
    expect(listed.damaged).toEqual(BROKEN);
    expect((await callIn(folder, ["inbox"])).stdout).toContain("broken cannot be read: ");
  });

  it("is named by supervise --dry-run, beside the runs that would be picked up", async () => {
    const folder = await damagedBy(
      "UPDATE _service_runs SET wake_at_ms = 1; UPDATE _service_runs SET frame_no = -1 WHERE run_id = 'broken'",
    );
    const listed = await answer(folder, ["supervise", "--dry-run"]);
    expect(listed.runs.map(({ runId }) => runId)).toEqual(["whole"]);
    expect(listed.damaged).toEqual(BROKEN);
    expect((await callIn(folder, ["supervise", "--dry-run"])).stdout).toContain("broken cannot be read: ");
  });
});

it("a run with a node that cannot be read is named by inbox and ps with the node, and they show the others", async () => {
  const folder = await damagedBy(
    "UPDATE _service_nodes SET state = 'asleep' WHERE run_no = (SELECT run_no FROM _service_runs WHERE run_id = 'broken')",
  );
  expect((await answer(folder, ["inbox"])).damaged).toEqual(BROKEN);
  const damage = (row: string) =>
    `broken cannot be read: Row ${row} of run "broken" in table _service_nodes: state holds "asleep"`;
  expect((await callIn(folder, ["inbox"])).stdout).toContain(damage('"payment", 0'));
  expect((await callIn(folder, ["ps"])).stdout).toContain(damage('"payment"'));
});
