import { taskKey } from "../../../src/model/address.js";
import { expect, it } from "vitest";
import { capped, parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter, hang } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("cancels a task that leaves the tree before it started and starts it when it is back", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(at.task("a"), at.task("b"), ...(at.has("a") && !at.has("b") ? [] : [at.task("c")])),
  });
  run.playNext();
  expect(run.stateOf("c")).toBe("cancelled");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "b::0", "c::0"]);
});

it("lets a running task that leaves the tree finish, and keeps its output", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("a"), ...(at.has("a") ? [] : [at.task("slow")])),
    script: { slow: finishAfter(40) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "slow::0"]);
  expect(run.runSnapshot.outputs).toContain("slow::0");
});

it("ignores the failure of a task that left the tree while it ran", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("a"), ...(at.has("a") ? [] : [at.task("slow")])),
    script: { slow: { ...fail(), after: 40 } },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("slow")).toBe("failed");
  expect(run.started).toEqual(["a::0", "slow::0"]);
});

it("still applies its time limit to a task that left the tree while it ran", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("a"), ...(at.has("a") ? [] : [at.task("stuck", { timeoutMs: 500 })])),
    script: { stuck: hang },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.now).toBe(500);
  expect(run.stateOf("stuck")).toBe("failed");
});

it("counts a task that comes back while it runs against its group again", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        sequence(at.task("a"), at.task("b")),
        ...(at.has("a") && !at.has("b") ? [] : [capped(1, at.task("slow"), at.task("next"))]),
      ),
    script: { slow: finishAfter(40) },
  });
  run.playNext();
  expect(run.stateOf("slow")).toBe("in-progress");
  run.playNext();
  expect([...run.state.running]).toEqual(["slow::0"]);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "b::0", "slow::0", "next::0"]);
});

it("does not wait for an approval that left the tree", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("a"), ...(at.has("a") ? [] : [at.approval("ok")])),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("ok")).toBe("cancelled");
});

it("does not wait for an approval that the tree of a newer program does not have", () => {
  const run = new ScriptedRun({ plan: (at) => parallel(at.task("a"), at.approval("ok"), at.task("b")) });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  const newer = run.restart(run.runSnapshot, { plan: (at) => parallel(at.task("a"), at.task("b")) });
  expect(newer.play()).toEqual({ kind: "finished" });
  expect(newer.stateOf("ok")).toBe("cancelled");
});

it("does not run a task again that was interrupted after it had left the tree", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("a"), ...(at.has("a") ? [] : [at.task("slow")])),
    script: { slow: hang },
  });
  run.play();
  const later = run.restart();
  expect(later.play()).toEqual({ kind: "finished" });
  expect(later.stateOf("slow")).toBe("cancelled");
  expect(later.started).toEqual(["a::0", "slow::0"]);
});

it("does not reset a finished task when an old attempt of it is reported interrupted", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")) });
  run.playNext();
  run.turn({
    type: "attempt-interrupted",
    key: taskKey({ nodeId: "a", iteration: 0 }),
    attempt: 1,
    reason: "late news",
  });
  expect(run.stateOf("a")).toBe("finished");
  run.turn({
    type: "attempt-interrupted",
    key: taskKey({ nodeId: "b", iteration: 0 }),
    attempt: 7,
    reason: "not this one",
  });
  expect(run.stateOf("b")).toBe("in-progress");
  expect(run.play()).toEqual({ kind: "finished" });
});
