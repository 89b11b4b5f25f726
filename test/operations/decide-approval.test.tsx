import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  approveNode,
  cancelRun,
  denyNode,
  explainRun,
  listApprovals,
  runWorkflow,
  ServiceDb,
  type ServiceError,
  signalRun,
} from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ ok: z.boolean() }),
};

/** Asks without waiting for the answer, continues as new on a signal, and asks again. */
function asking() {
  const { Workflow, Sequence, Parallel, Branch, ContinueAsNew, Approval, Signal, outputs, service } =
    openScene(schemas).api;
  return service((ctx) => (
    <Workflow name="asking">
      <Sequence>
        <Parallel>
          <Signal id="go" schema={outputs.output} />
          <Approval id="ask" async output={outputs.decision} request={{ title: "Ship it?" }} />
        </Parallel>
        <Branch if={ctx.continuation === undefined} then={<ContinueAsNew state={1} />} />
      </Sequence>
    </Workflow>
  ));
}

describe("a run that continued as new", () => {
  async function continued() {
    const workflow = asking();
    await runWorkflow(workflow, { runId: "run", input: {} });
    await signalRun(workflow, { runId: "run", signal: "go", data: { ok: true } });
    const { runId: next } = await runWorkflow(workflow, { runId: "run", resume: true });
    expect(next).not.toBe("run");
    return { workflow, next };
  }

  it("asks no person any more; the run that continues asks anew", async () => {
    const { workflow, next } = await continued();
    expect(await listApprovals(workflow)).toMatchObject([{ runId: next, nodeId: "ask" }]);
    expect(await listApprovals(workflow, { status: "withdrawn" })).toMatchObject([{ runId: "run" }]);
  });

  it("refuses decisions and signals, and names the run that continues", async () => {
    const { workflow, next } = await continued();
    const refusal = {
      code: "RUN_NOT_ACTIVE",
      message: expect.stringContaining(next),
      details: { runId: "run", status: "continued", nextRunId: next },
    };
    await expect(approveNode(workflow, { runId: "run", nodeId: "ask" })).rejects.toMatchObject(refusal);
    await expect(denyNode(workflow, { runId: "run", nodeId: "ask" })).rejects.toMatchObject(refusal);
    const signal = { runId: "run", signal: "go", data: { ok: true } };
    await expect(signalRun(workflow, signal)).rejects.toMatchObject(refusal);
    await approveNode(workflow, { runId: next, nodeId: "ask" });
  });

  it("names no run that was deleted since", async () => {
    const { workflow, next } = await continued();
    await cancelRun(workflow, { runId: next });
    new ServiceDb(workflow.db).store.deleteRuns([next]);
    const error = await signalRun(workflow, { runId: "run", signal: "go", data: { ok: true } }).catch(
      (thrown: ServiceError) => thrown,
    );
    expect(error).toMatchObject({ code: "RUN_NOT_ACTIVE", details: { runId: "run", status: "continued" } });
    expect((error as ServiceError).message).not.toContain(next);
  });

  it("is blocked by nothing, whatever the run that continues waits for", async () => {
    const { workflow, next } = await continued();
    expect(await explainRun(workflow, "run")).toMatchObject({
      status: "continued",
      nextRunId: next,
      blockers: [],
    });
    expect((await explainRun(workflow, next)).blockers.map(({ nodeId }) => nodeId).toSorted()).toEqual([
      "ask",
      "go",
    ]);
  });
});

describe("a decision about a run that was cancelled", () => {
  it("is refused", async () => {
    const { Workflow, Approval, outputs, service } = openScene(schemas).api;
    const workflow = service(() => (
      <Workflow name="cancelled">
        <Approval id="ask" output={outputs.decision} request={{ title: "Ship it?" }} />
      </Workflow>
    ));
    await runWorkflow(workflow, { runId: "run", input: {} });

    await cancelRun(workflow, { runId: "run" });
    await expect(approveNode(workflow, { runId: "run", nodeId: "ask" })).rejects.toMatchObject({
      code: "RUN_NOT_ACTIVE",
      details: { status: "cancelled" },
    });
  });
});

describe("a decision", () => {
  it("is of a node at an iteration that there is, and of a person with a name", async () => {
    const workflow = asking();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const decide = (request: object) => approveNode(workflow, { runId: "run", nodeId: "ask", ...request });
    await expect(decide({ iteration: 3 })).rejects.toMatchObject({
      code: "NODE_NOT_FOUND",
      message: expect.stringContaining("at iteration 3"),
    });
    await expect(decide({ decidedBy: "" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("decidedBy"),
    });
    await expect(cancelRun(workflow, { runId: "run", requestedBy: "" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(await listApprovals(workflow)).toMatchObject([{ nodeId: "ask" }]);
  });
});
