import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("runs the children of a sequence one after the other, whatever each takes", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), sequence(at.task("b"), at.task("c")), at.task("d")),
    script: { a: finishAfter(30), b: finishAfter(1), c: finishAfter(20) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["a::0", "b::0", "c::0", "d::0"]);
  expect(run.finished).toEqual(run.started);
});

it("starts what comes after a group once the last of the group is done", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(parallel(at.task("slow"), at.task("fast")), at.task("join")),
    script: { slow: finishAfter(50) },
  });
  run.playNext();
  expect(run.finished).toEqual(["fast::0"]);
  expect(run.stateOf("join")).toBe("pending");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["slow::0", "fast::0", "join::0"]);
});

it("continues after a task that was skipped and after a failure that is tolerated", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.task("skipped", { skipIf: true }),
        at.task("broken", { continueOnFail: true, retries: 0 }),
        at.task("last"),
      ),
    script: { broken: fail() },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["broken::0", "last::0"]);
  expect([run.stateOf("skipped"), run.stateOf("broken"), run.stateOf("last")]).toEqual([
    "skipped",
    "failed",
    "finished",
  ]);
});

it("finishes a plan without tasks", () => {
  const run = new ScriptedRun({ plan: () => sequence(parallel(), sequence()) });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.events).toEqual([]);
});
