import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { approvalDecision, runWorkflow } from "../../src/index.js";
import { listApprovals, pageApprovals } from "../../src/operations/list-approvals.js";
import { openScene } from "../support/engine/scene.js";

async function threeRunsThatAsk() {
  const scene = openScene({ gate: approvalDecision });
  const { Workflow, Parallel, Approval, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Parallel>
        <Approval id="one" output={outputs.gate} request={{ title: "1?" }} />
        <Approval id="two" output={outputs.gate} request={{ title: "2?" }} />
      </Parallel>
    </Workflow>
  ));
  for (const runId of ["a", "b", "c"]) await runWorkflow(workflow, { runId, input: {} });
  return { ...scene, workflow };
}

describe("pages of approvals", () => {
  it.each([false, true])(
    "together have every request once, in the order of the list (descending: %j)",
    async (descending) => {
      const { workflow } = await threeRunsThatAsk();
      const all = await listApprovals(workflow);
      expect(all).toHaveLength(6);
      if (descending) all.reverse();
      const paged = [];
      let cursor: string | null = null;
      do {
        const page = await pageApprovals(workflow, {
          descending,
          limit: 4,
          ...(cursor !== null && { cursor }),
        });
        paged.push(...page.approvals);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(paged).toEqual(all);
    },
  );

  it("end with null, also where the last one is full", async () => {
    const { workflow } = await threeRunsThatAsk();
    expect((await pageApprovals(workflow, { limit: 6 })).nextCursor).toBeNull();
  });

  it("name a run of which a request cannot be read, and show the others", async () => {
    const { workflow, path } = await threeRunsThatAsk();
    const db = new Database(path);
    db.exec(
      "UPDATE _service_approvals SET request_json = '[]' WHERE node_id = 'one' AND run_no = (SELECT run_no FROM _service_runs WHERE run_id = 'b')",
    );
    db.close();
    const { approvals, damaged } = await pageApprovals(workflow);
    expect(approvals.map(({ runId }) => runId)).toEqual(["a", "a", "c", "c"]);
    expect(damaged).toMatchObject([{ runId: "b", damage: { code: "STORAGE_ERROR" } }]);
    await expect(listApprovals(workflow)).rejects.toMatchObject({ code: "STORAGE_ERROR" });
  });

  it("name a run with a request of which it is unknown whether it is open", async () => {
    const { workflow, path } = await threeRunsThatAsk();
    const db = new Database(path);
    db.exec(
      "UPDATE _service_approvals SET status = 'asleep' WHERE node_id = 'one' AND run_no = (SELECT run_no FROM _service_runs WHERE run_id = 'b')",
    );
    db.close();
    const { approvals, damaged, nextCursor } = await pageApprovals(workflow, { limit: 2 });
    expect(approvals).toHaveLength(2);
    expect(damaged).toMatchObject([{ runId: "b", damage: { code: "STORAGE_ERROR" } }]);
    expect(await pageApprovals(workflow, { cursor: nextCursor ?? "" })).not.toHaveProperty("damaged");
  });

  it.each(["", "1", "[]", '["1","a","b",0]', "[1,2,3,4]", '[1,"a","b",0,5]'])(
    "refuse the cursor %j",
    async (cursor) => {
      const { workflow } = await threeRunsThatAsk();
      await expect(pageApprovals(workflow, { cursor })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    },
  );
});
