import { expect, it } from "vitest";
import { capped, parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const running = (run: ScriptedRun) => [...run.state.running].sort();

it("lets a group with cap 1, a merge queue, run one task at a time in document order", () => {
  const run = new ScriptedRun({
    plan: (at) => capped(1, at.task("a"), at.task("b"), at.task("c")),
    script: { a: finishAfter(5) },
  });
  const most: number[] = [];
  run.onStep = ({ state }) => most.push(state.running.size);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(Math.max(...most)).toBe(1);
  expect(run.started).toEqual(["a::0", "b::0", "c::0"]);
});

it("applies the cap of every group around a task", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      capped(
        2,
        capped(1, at.task("a1"), at.task("a2")),
        capped(1, at.task("b1"), at.task("b2")),
        capped(1, at.task("c1")),
      ),
    script: { a1: finishAfter(10), b1: finishAfter(20), a2: finishAfter(20) },
  });
  expect(running(run)).toEqual(["a1::0", "b1::0"]);
  run.playNext();
  expect(running(run)).toEqual(["a2::0", "b1::0"]);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["a1::0", "b1::0", "a2::0", "b2::0", "c1::0"]);
});

it("does not hold up tasks outside a full group", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(capped(1, at.task("a"), at.task("b")), at.task("free")),
  });
  expect(running(run)).toEqual(["a::0", "free::0"]);
});

it("caps a sequence inside a group like its other tasks", () => {
  const run = new ScriptedRun({
    plan: (at) => capped(1, sequence(at.task("a1"), at.task("a2")), at.task("b")),
  });
  run.play();
  expect(run.started).toEqual(["a1::0", "a2::0", "b::0"]);
});

it("gives a free slot to the next task if the first in line is held up by an inner cap", () => {
  const run = new ScriptedRun({
    plan: (at) => capped(2, capped(1, at.task("x1"), at.task("x2")), at.task("z"), at.task("y")),
    script: { x1: finishAfter(100), z: finishAfter(10), y: finishAfter(10) },
  });
  expect(running(run)).toEqual(["x1::0", "z::0"]);
  run.playNext();
  expect(running(run)).toEqual(["x1::0", "y::0"]);
});

it("gives the slot of a failed task to the next one if the first in line was skipped with it", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      capped(
        1,
        at.tryBlock("block", { try: parallel(at.task("p"), at.task("q")), catch: sequence() }),
        at.task("other"),
      ),
    script: { p: fail("no", "AGENT_CONFIG_INVALID") },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["p::0", "other::0"]);
  expect(run.stateOf("q")).toBe("skipped");
});

it("counts attempts of the plan before when the cap of a new plan applies", () => {
  const run = new ScriptedRun({
    plan: (at) => {
      const tasks = [at.task("a"), at.task("b"), at.task("c"), at.task("d")];
      return sequence(at.has("a") ? capped(1, ...tasks) : capped(3, ...tasks));
    },
    script: { a: finishAfter(1), b: finishAfter(10), c: finishAfter(20) },
  });
  run.playNext();
  expect(running(run)).toEqual(["b::0", "c::0"]);
  run.playNext();
  expect(running(run)).toEqual(["c::0"]);
  expect(run.play()).toEqual({ kind: "finished" });
});
