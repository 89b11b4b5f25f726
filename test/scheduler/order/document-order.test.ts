import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("starts eligible tasks in document order while slots are few", () => {
  const run = new ScriptedRun({
    maxConcurrency: 1,
    plan: (at) =>
      parallel(
        sequence(at.task("a1"), at.task("a2")),
        at.task("b"),
        sequence(at.task("c1"), at.task("c2")),
        at.task("d"),
      ),
  });
  run.play();
  expect(run.started).toEqual(["a1::0", "a2::0", "b::0", "c1::0", "c2::0", "d::0"]);
});

it("never runs more tasks than the run's own limit", () => {
  const run = new ScriptedRun({
    maxConcurrency: 3,
    plan: (at) => parallel(...[0, 1, 2, 3, 4, 5, 6].map((index) => at.task(`t${index}`))),
    script: { t0: finishAfter(9), t1: finishAfter(5) },
  });
  const running: number[] = [];
  run.onStep = ({ state }) => running.push(state.running.size);
  expect(run.state.running.size).toBe(3);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(Math.max(...running)).toBe(3);
  expect(run.started).toEqual(["t0", "t1", "t2", "t3", "t4", "t5", "t6"].map((id) => `${id}::0`));
});
