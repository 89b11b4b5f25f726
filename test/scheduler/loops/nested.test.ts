import { expect, it } from "vitest";
import { type Place, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const nested = (at: Place) =>
  at.loop("outer", { maxIterations: 2 }, (outer) =>
    sequence(
      outer.task("a"),
      outer.loop("inner", { maxIterations: 2 }, (inner) => inner.task("b")),
      outer.task("c"),
    ),
  );

it("gives every row of a nested loop its own address", () => {
  const run = new ScriptedRun({ plan: nested });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual([
    "a::0",
    "b@@outer=0::0",
    "b@@outer=0::1",
    "c::0",
    "a::1",
    "b@@outer=1::0",
    "b@@outer=1::1",
    "c::1",
  ]);
  expect(Object.keys(run.runSnapshot.controls).sort()).toEqual(["inner@@outer=0", "inner@@outer=1", "outer"]);
});

it("remembers the loop that each task belongs to", () => {
  const run = new ScriptedRun({ plan: nested });
  run.play();
  expect(run.runSnapshot.nodes["a::1"]).toMatchObject({ loopId: "outer" });
  expect(run.runSnapshot.nodes["b@@outer=1::0"]).toMatchObject({ loopId: "inner@@outer=1" });
});

it("continues in the middle of a nested loop when another process takes over", () => {
  const run = new ScriptedRun({ plan: nested });
  run.play();
  for (const runSnapshot of run.images) {
    const rest = run.restart(runSnapshot);
    expect(rest.play()).toEqual({ kind: "finished" });
    expect(rest.finished).toEqual(run.finished);
  }
});

it("ends the inner loop before the outer one asks whether it is done", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("outer", { until: (here) => here.iteration === 1 }, (outer) =>
        sequence(outer.loop("inner", { until: (here) => here.has("b", 1) }, (inner) => inner.task("b"))),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["b@@outer=0::0", "b@@outer=0::1", "b@@outer=1::0", "b@@outer=1::1"]);
});
