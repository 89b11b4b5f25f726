import { describe, expect, it } from "vitest";
import { z } from "zod";
import { denyNode, listApprovals, runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  picked: z.object({ selected: z.string().nullable() }),
  ranked: z.object({ ranked: z.array(z.string()) }),
};

const options = [
  { key: "old", label: "Old" },
  { key: "new", label: "New" },
];

async function asked() {
  const { Workflow, Parallel, Approval, outputs, service } = openScene(schemas).api;
  const request = { title: "Which one?" };
  const workflow = service(() => (
    <Workflow name="choosing">
      <Parallel>
        <Approval id="pick" mode="select" options={options} output={outputs.picked} request={request} />
        <Approval id="rank" mode="rank" options={options} output={outputs.ranked} request={request} />
      </Parallel>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  return workflow;
}

describe("a request to select or to rank", () => {
  it("is denied without a selection or a ranking, which the decision then lacks", async () => {
    const workflow = await asked();
    for (const nodeId of ["pick", "rank"]) {
      const denial = await denyNode(workflow, { runId: "run", nodeId, note: "none fits" });
      expect(denial).toEqual({ runId: "run", nodeId, iteration: 0, approved: false, seq: null });
    }
    const { status } = await runWorkflow(workflow, { runId: "run", resume: true });
    expect(status).toBe("failed");
    const decided = await listApprovals(workflow, { status: "denied" });
    expect(decided.map(({ nodeId, decision }) => ({ nodeId, decision }))).toEqual([
      { nodeId: "pick", decision: { approved: false, note: "none fits" } },
      { nodeId: "rank", decision: { approved: false, note: "none fits" } },
    ]);
  });

  it("takes no selection or ranking with a denial: neither would be kept", async () => {
    const workflow = await asked();
    const pick = { runId: "run", nodeId: "pick", selected: "new" };
    await expect(denyNode(workflow, pick)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining("pick is denied"),
    });
    const rank = { runId: "run", nodeId: "rank", ranked: ["new", "old"] };
    await expect(denyNode(workflow, rank)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining("rank is denied"),
    });
    expect(await listApprovals(workflow)).toHaveLength(2);
  });
});
