import { describe, expect, it } from "vitest";
import { openGateway } from "./support/gateway.js";
import { asking, doubling, held } from "./support/workflows.js";

describe("a run of a registered workflow", () => {
  it("is launched by its key, runs to its end and can be read", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const launched = await gateway.call("launchRun", { workflow: "twice", input: { n: 4 } });
    expect(launched).toEqual({
      runId: expect.any(String),
      status: "running",
      isNew: true,
      workflowKey: "twice",
    });
    const { runId } = launched as { runId: string };
    const run = await gateway.until(runId, "finished");
    expect(run).toMatchObject({ workflowKey: "twice", workflowName: "double", runState: "succeeded" });
    expect(await gateway.call("getNode", { runId, nodeId: "double" })).toMatchObject({
      node: { state: "finished" },
      output: { n: 8, by: "null" },
    });
  });

  it("does not tell its readers where it was driven", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const { runId } = await gateway.call("launchRun", { workflow: "twice", input: { n: 4 } });
    await gateway.until(runId as string, "finished");
    const { events } = await gateway.call("listEvents", { runId, types: ["RunStarted"] });
    expect(events).toMatchObject([{ seq: 0, event: { type: "RunStarted", ownerId: "(hidden)" } }]);
  });

  it("is answered with a code for a workflow, a run or a node that is not there", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    expect(await gateway.rpc("launchRun", { workflow: "thrice" })).toMatchObject({
      status: 404,
      body: { error: { code: "WORKFLOW_NOT_FOUND" } },
    });
    for (const method of ["getRun", "cancelRun", "resumeRun", "explainRun", "listFrames", "getGraph"]) {
      expect(await gateway.rpc(method, { runId: "nobody" })).toMatchObject({
        status: 404,
        body: { error: { code: "RUN_NOT_FOUND" } },
      });
    }
    const { runId } = await gateway.call("launchRun", { workflow: "twice", input: { n: 1 } });
    expect(await gateway.rpc("getNode", { runId, nodeId: "nothing" })).toMatchObject({
      status: 404,
      body: { error: { code: "NODE_NOT_FOUND" } },
    });
  });

  it("continues by itself once it is decided and signalled", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const { runId } = (await gateway.call("launchRun", { workflow: "ask" })) as { runId: string };
    await gateway.until(runId, "waiting-approval");
    const { approvals } = (await gateway.call("listApprovals")) as { approvals: Record<string, string>[] };
    expect(approvals).toMatchObject([{ runId, nodeId: "gate", workflowKey: "ask" }]);
    const { requestHash } = approvals[0] as { requestHash: string };
    const decision = { runId, nodeId: "gate", approved: true, decidedBy: "ada" };
    expect(await gateway.rpc("submitApproval", { ...decision, requestHash: "other" })).toMatchObject({
      status: 409,
      body: { error: { code: "REQUEST_CHANGED" } },
    });
    await gateway.call("submitApproval", { ...decision, requestHash });
    await gateway.until(runId, "waiting-event");
    expect(await gateway.call("explainRun", { runId })).toMatchObject({
      blockers: [{ kind: "event", nodeId: "go" }, { kind: "dependency" }],
    });
    await gateway.call("submitSignal", { runId, signal: "go", data: { n: 5 } });
    await gateway.until(runId, "finished");
    expect(await gateway.call("getNode", { runId, nodeId: "gate" })).toMatchObject({
      output: { approved: true, decidedBy: "ada" },
    });
    expect(await gateway.rpc("submitApproval", decision)).toMatchObject({ status: 409 });
  });

  it("can be cancelled, resumed and have a task run again", async () => {
    const { workflow, open } = heldIn();
    const gateway = await openGateway((gateway, folder) => gateway.register("held", workflow(folder)));
    const { runId } = (await gateway.call("launchRun", { workflow: "held" })) as { runId: string };
    expect(await gateway.call("cancelRun", { runId, reason: "enough" })).toMatchObject({ runId });
    await gateway.until(runId, "cancelled");
    expect(await gateway.rpc("cancelRun", { runId })).toMatchObject({
      status: 409,
      body: { error: { code: "RUN_NOT_ACTIVE" } },
    });
    open();
    expect(await gateway.call("resumeRun", { runId })).toEqual({ runId, status: "running" });
    await gateway.until(runId, "finished");
    const retry = { runId, nodeId: "hold" };
    expect(await gateway.call("retryTask", { ...retry, dryRun: true })).toEqual({
      runId,
      resetNodes: ["hold::0"],
      seq: null,
    });
    await gateway.until(runId, "finished");
    await gateway.call("retryTask", retry);
    await expect
      .poll(async () => {
        const { attempts } = (await gateway.call("getNode", retry)) as { attempts: { state: string }[] };
        return attempts.filter(({ state }) => state === "finished").length;
      })
      .toBe(2);
    await gateway.until(runId, "finished");
  });
});

function heldIn() {
  let opened = false;
  let open = () => {
    opened = true;
  };
  return {
    open: () => open(),
    workflow(folder: string) {
      const made = held(folder);
      open = made.open;
      if (opened) open();
      return made.workflow;
    },
  };
}

it("a run whose code throws as soon as it is resumed has failed", async () => {
  let isBroken = false;
  const gateway = await openGateway((host, folder) => {
    const workflow = asking(folder);
    const build: typeof workflow.build = (ctx) => {
      if (isBroken) throw new Error("The tree cannot be drawn.");
      return workflow.build(ctx);
    };
    host.register("ask", { ...workflow, build });
  });
  const { runId } = await gateway.call<{ runId: string }>("launchRun", { workflow: "ask" });
  await gateway.until(runId, "waiting-approval");
  isBroken = true;
  await gateway.call("resumeRun", { runId });
  expect(await gateway.until(runId, "failed")).toMatchObject({
    error: { message: expect.stringContaining("The tree cannot be drawn.") },
  });
});
