import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("waits for the same iteration of a task in the same loop", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { maxIterations: 2 }, (inside) =>
        parallel(inside.task("after", { dependsOn: ["before"] }), inside.task("before")),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["before::0", "after::0", "before::1", "after::1"]);
});

it("waits for the end of the loop if the task is inside and the dependent is not", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("after-first", { dependsOn: ["first"] }),
        at.task("after-last", { dependsOn: ["last"] }),
        at.loop("l", { maxIterations: 2 }, (inside) => sequence(inside.task("first"), inside.task("last"))),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished.slice(0, 4)).toEqual(["first::0", "last::0", "first::1", "last::1"]);
  expect([...run.finished.slice(4)].sort()).toEqual(["after-first::0", "after-last::0"]);
});

it("waits for the end of an inner loop in the same iteration of the outer one", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("outer", { maxIterations: 2 }, (outer) =>
        parallel(
          outer.task("after", { dependsOn: [`x@@outer=${outer.iteration}`] }),
          outer.loop("inner", { maxIterations: 2 }, (inner) => inner.task("x")),
        ),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual([
    "x@@outer=0::0",
    "x@@outer=0::1",
    "after::0",
    "x@@outer=1::0",
    "x@@outer=1::1",
    "after::1",
  ]);
});

it("is met for a task in a loop once the task before the loop is done", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("setup"),
        at.loop("l", { maxIterations: 3 }, (inside) => inside.task("x", { dependsOn: ["setup"] })),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["setup::0", "x::0", "x::1", "x::2"]);
});
