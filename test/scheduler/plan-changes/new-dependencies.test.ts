import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("does not try a task again before a dependency that a frame gave it meanwhile", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("trigger"),
        at.task("slow"),
        at.task("flaky", at.has("trigger") ? { dependsOn: ["slow"] } : {}),
      ),
    script: { flaky: [fail("once"), finishAfter(1)], trigger: finishAfter(5), slow: finishAfter(60_000) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["trigger::0", "slow::0", "flaky::0"]);
});

it("waits for what has to come first, not for a back-off that is over", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("trigger"),
        at.approval("ok"),
        at.task("flaky", at.has("trigger") ? { dependsOn: ["ok"] } : {}),
      ),
    script: { flaky: [fail("once"), finishAfter(1)], trigger: finishAfter(5) },
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("does not let an approved task run before a dependency that it got while it waited", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("trigger"),
        at.task("slow"),
        at.task("gated", { needsApproval: true, ...(at.has("trigger") && { dependsOn: ["slow"] }) }),
      ),
    script: { slow: finishAfter(100) },
  });
  run.playNext();
  run.decide("gated", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["trigger::0", "slow::0", "gated::0"]);
});

it("uses the skipIf of the frame that has seen everything before the task", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.task("b", { skipIf: at.has("a") }), at.task("c")),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "c::0"]);
});
