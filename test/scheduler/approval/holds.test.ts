import { expect, it } from "vitest";
import { taskKey } from "../../../src/model/address.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const nodeId = "alert:task-running";
const key = taskKey({ nodeId, iteration: 0 });

function held(): ScriptedRun {
  const run = new ScriptedRun({ plan: (at) => at.event("later") });
  run.turn({ type: "hold", hold: { id: key, reason: "it takes long", asks: true } });
  return run;
}

it("a decision on a hold stays what it is, whatever becomes of the run", () => {
  const run = held();
  run.decide(nodeId, true);
  run.turn({ type: "ended" });
  expect(run.state.approvals.get(key)).toMatchObject({ status: "approved", decision: { approved: true } });
});

it("no person is asked any more about a hold of a run that has ended", () => {
  const run = held();
  run.turn({ type: "ended" });
  expect(run.state.approvals.get(key)).toMatchObject({ status: "withdrawn", decision: null });
});
