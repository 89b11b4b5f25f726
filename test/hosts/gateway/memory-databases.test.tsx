import { expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, createService } from "../../../src/index.js";
import { openGateway } from "./support/gateway.js";

/** Asks a person; its database has no file. */
function asking(name: string) {
  const { Workflow, Approval, service, outputs } = createService(
    { gate: approvalDecision, output: z.object({}) },
    { dbPath: ":memory:" },
  );
  return service(() => (
    <Workflow name={name}>
      <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
    </Workflow>
  ));
}

it("workflows with databases in memory have one each", async () => {
  const names = ["first", "second"];
  const gateway = await openGateway((host) => {
    for (const name of names) host.register(name, asking(name));
  });
  for (const name of names) await gateway.call("launchRun", { workflow: name, runId: name });
  for (const name of names) {
    await gateway.until(name, "waiting-approval");
    await gateway.call("submitApproval", { runId: name, nodeId: "gate", approved: true });
    await gateway.until(name, "finished");
  }
  expect((await gateway.call<{ runs: unknown[] }>("listRuns")).runs).toHaveLength(2);
});
