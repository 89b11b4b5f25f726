import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const statusOf = (run: ScriptedRun) => run.runSnapshot.approvals["ok::0"]?.status;

it("withdraws a request that was not answered in time", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok", { timeoutMs: 50, continueOnFail: true }) });
  expect(statusOf(run)).toBe("requested");
  run.playOut();
  expect(statusOf(run)).toBe("withdrawn");
});

it("withdraws the requests of a cancelled run", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok") });
  run.send({ kind: "cancel" });
  expect(statusOf(run)).toBe("withdrawn");
});

it("withdraws a request that is skipped with its block", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", { try: parallel(at.approval("ok"), at.task("a")), catch: at.task("rescue") }),
    script: { a: fail("no", "AGENT_CONFIG_INVALID") },
  });
  run.play();
  expect(statusOf(run)).toBe("withdrawn");
});

it("withdraws a request that leaves the tree, and asks anew when it is back", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        sequence(at.task("a"), at.task("b")),
        ...(at.has("a") && !at.has("b") ? [] : [at.approval("ok")]),
      ),
  });
  run.playNext();
  expect(statusOf(run)).toBe("withdrawn");
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(statusOf(run)).toBe("requested");
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(statusOf(run)).toBe("approved");
});

it("does not touch a request that was answered", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.approval("ok"), at.approval("next")) });
  run.decide("ok", true);
  run.play();
  run.send({ kind: "cancel" });
  expect(statusOf(run)).toBe("approved");
});
