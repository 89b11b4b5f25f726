import { expect, it, vi } from "vitest";
import { approvalDecision } from "../../src/index.js";
import { getRun, toRunDetail } from "../../src/operations/index.js";
import { requireRun } from "../../src/operations/request/require-run.js";
import { openScene } from "../support/engine/scene.js";

it("a run that has just been read is shown as getRun shows it, without its row being read again", async () => {
  const { api, drive, store } = openScene({ gate: approvalDecision });
  const { Workflow, Approval, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="waits">
      <Approval id="gate" output={outputs.gate} request={{ title: "Ship?" }} />
    </Workflow>
  ));
  await drive(workflow);
  const run = await requireRun(store, "run");
  const reads = vi.spyOn(store, "getRun");
  const shown = await toRunDetail(store, run, Date.now());
  expect(reads.mock.calls).toEqual([]);
  expect(shown.blockers.map(({ kind }) => kind)).toEqual(["approval"]);
  expect(shown).toEqual(await getRun(workflow, "run"));
});
