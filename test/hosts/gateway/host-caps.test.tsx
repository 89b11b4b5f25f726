import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { asking, held } from "./support/workflows.js";

it("keeps the runs that a gateway may not drive yet, also when it is closed and another one opens", async () => {
  const folder = temporaryFolder();
  const { workflow, open } = held(folder);
  const options = { folder, maxActiveRuns: 1, maxActiveTasks: 1 };
  const first = await openGateway((gateway) => gateway.register("held", workflow), options);
  for (const runId of ["one", "two", "three"]) {
    expect(await first.call("launchRun", { workflow: "held", runId })).toMatchObject({ runId, isNew: true });
  }
  expect(await first.call("explainRun", { runId: "three" })).toMatchObject({
    blockers: [{ kind: "queued" }],
  });
  expect(await first.rpc("resumeRun", { runId: "two" })).toMatchObject({
    status: 503,
    body: { error: { code: "CAPACITY_EXCEEDED" } },
  });
  const replay = { runId: "one", newRunId: "copy" };
  expect(await first.call("replayRun", { ...replay, dryRun: true })).toMatchObject({ runId: null });
  expect(await first.rpc("replayRun", replay)).toMatchObject({
    status: 503,
    body: { error: { code: "CAPACITY_EXCEEDED", message: expect.stringContaining("no run was made") } },
  });
  expect(await first.rpc("getRun", { runId: "copy" })).toMatchObject({ status: 404 });
  await first.gateway.close();
  const again = held(folder);
  const second = await openGateway((gateway) => gateway.register("held", again.workflow), options);
  open();
  again.open();
  for (const runId of ["one", "two", "three"]) await second.until(runId, "finished");
});

it("does not let a run that waits for a person keep others out", async () => {
  const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
    maxActiveRuns: 1,
  });
  for (const runId of ["one", "two"]) await gateway.call("launchRun", { workflow: "ask", runId });
  for (const runId of ["one", "two"]) await gateway.until(runId, "waiting-approval");
  const { approvals } = (await gateway.call("listApprovals")) as {
    approvals: { runId: string; requestHash: string }[];
  };
  for (const { runId, requestHash } of approvals) {
    await gateway.call("submitApproval", { runId, nodeId: "gate", approved: true, requestHash });
  }
  for (const runId of ["one", "two"]) await gateway.until(runId, "waiting-event");
});
