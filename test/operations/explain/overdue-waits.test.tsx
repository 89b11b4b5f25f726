import { expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision } from "../../../src/index.js";
import { explainWith } from "../../../src/operations/explain-run.js";
import { requireRun } from "../../../src/operations/request/require-run.js";
import { openScene } from "../../support/engine/scene.js";

it("a wait whose time went by while no process drove the run asks for a process, not for an answer that is refused", async () => {
  const { api, drive, store, time } = openScene({ gate: approvalDecision, paid: z.object({}) });
  const { Workflow, Parallel, Approval, Signal, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="late">
      <Parallel>
        <Approval id="gate" output={outputs.gate} request={{ title: "Ship?" }} timeoutMs={1_000} />
        <Signal id="paid" schema={outputs.paid} timeoutMs={1_000} />
        <Approval id="open" output={outputs.gate} request={{ title: "Open?" }} />
      </Parallel>
    </Workflow>
  ));
  await drive(workflow);
  const remediesAt = async (nowMs: number) =>
    (await explainWith(store, await requireRun(store, "run"), nowMs)).blockers.map(
      ({ kind, nodeId, remedy }) => [nodeId, kind, remedy?.action],
    );
  const startMs = time.now();
  expect(await remediesAt(startMs + 999)).toEqual([
    ["gate", "approval", "approve"],
    ["open", "approval", "approve"],
    ["paid", "event", "signal"],
  ]);
  expect(await remediesAt(startMs + 1_001)).toEqual([
    ["gate", "timer", "resume"],
    ["open", "approval", "approve"],
    ["paid", "timer", "resume"],
  ]);
});
