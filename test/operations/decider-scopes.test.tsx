import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, explainRun, runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

function guarded() {
  const scene = openScene({ decision: z.object({ approved: z.boolean() }) });
  const { Workflow, Approval, outputs, service } = scene.api;
  const request = { title: "Release?" };
  const workflow = service(() => (
    <Workflow name="guarded">
      <Approval id="ok" output={outputs.decision} request={request} allowedScopes={["release"]} />
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("a decider's scope `*`", () => {
  it("is no wildcard, also of a caller in the program", async () => {
    const { workflow } = guarded();
    await runWorkflow(workflow, { runId: "run", input: {} });
    await expect(approveNode(workflow, { runId: "run", nodeId: "ok", scopes: ["*"] })).rejects.toMatchObject({
      code: "FORBIDDEN",
      details: { runId: "run", nodeId: "ok", iteration: 0, allowedScopes: ["release"] },
    });
    await approveNode(workflow, { runId: "run", nodeId: "ok", scopes: ["*", "release"] });
  });

  it("is none when the decision is taken up either, and the refusal is reported", async () => {
    const { workflow, store } = guarded();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const row = await store.getApproval("run", "ok", 0);
    await store.submitIntent({
      runId: "run",
      createdAtMs: 1,
      intent: {
        kind: "approval",
        nodeId: "ok",
        iteration: 0,
        decision: { approved: true },
        requestHash: row?.requestHash ?? "",
        scopes: ["*"],
      },
    });
    expect(await runWorkflow(workflow, { runId: "run", resume: true })).toMatchObject({
      status: "waiting-approval",
    });
    expect((await explainRun(workflow, "run")).blockers).toMatchObject([
      { kind: "approval", refused: [{ code: "FORBIDDEN" }], remedy: { allowedScopes: ["release"] } },
    ]);
  });
});
