import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, runWorkflow } from "../../../src/index.js";
import { findRequest } from "../../../src/operations/request/find-request.js";
import { openScene } from "../../support/engine/scene.js";

function asking(...ids: string[]) {
  const { api } = openScene({ decision: z.object({ approved: z.boolean() }) });
  const { Workflow, Parallel, Approval, outputs, service } = api;
  return service(() => (
    <Workflow name="asking">
      <Parallel>
        {ids.map((id) => (
          <Approval key={id} id={id} output={outputs.decision} request={{ title: `May ${id} continue?` }} />
        ))}
      </Parallel>
    </Workflow>
  ));
}

describe("the request that a decision is about", () => {
  it("is the only one that waits, or the one of the node", async () => {
    const workflow = asking("a", "b");
    await runWorkflow(workflow, { runId: "run", input: {} });
    expect(await findRequest(workflow, { runId: "run", nodeId: "b" })).toMatchObject({ nodeId: "b" });
    await approveNode(workflow, { runId: "run", nodeId: "b" });
    // Decided, although no process has taken that up.
    expect(await findRequest(workflow, { runId: "run" })).toMatchObject({ nodeId: "a" });
  });

  it("has to be named where several wait", async () => {
    const workflow = asking("a", "b");
    await runWorkflow(workflow, { runId: "run", input: {} });
    await expect(findRequest(workflow, { runId: "run" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: {
        candidates: [
          { nodeId: "a", iteration: 0, title: "May a continue?" },
          { nodeId: "b", iteration: 0, title: "May b continue?" },
        ],
      },
    });
  });

  it("is looked for in vain in a run that waits for none, or that is not there", async () => {
    const workflow = asking("a");
    await runWorkflow(workflow, { runId: "run", input: {} });
    await approveNode(workflow, { runId: "run", nodeId: "a" });
    await runWorkflow(workflow, { runId: "run", resume: true });
    const code = (address: Parameters<typeof findRequest>[1]) =>
      findRequest(workflow, address).catch((error: { code: string }) => error.code);
    expect(await code({ runId: "run" })).toBe("NODE_NOT_WAITING");
    expect(await code({ runId: "run", nodeId: "a" })).toBe("ALREADY_DECIDED");
    expect(await code({ runId: "run", nodeId: "x" })).toBe("NODE_NOT_FOUND");
    expect(await code({ runId: "gone" })).toBe("RUN_NOT_FOUND");
  });
});
