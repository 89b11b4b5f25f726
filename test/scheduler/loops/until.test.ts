import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("runs the body once before it asks whether it is done", () => {
  const run = new ScriptedRun({ plan: (at) => at.loop("l", { until: true }, (inside) => inside.task("x")) });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["x::0"]);
  expect(run.runSnapshot.controls["l"]).toEqual({
    kind: "loop",
    id: "l",
    iteration: 0,
    done: true,
    exhausted: false,
  });
});

it("iterates until a frame that has seen the iteration says so", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.loop("l", { until: (here) => here.has("check", 2) }, (inside) =>
          sequence(inside.task("work"), inside.task("check")),
        ),
        at.task("after"),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual([
    "work::0",
    "check::0",
    "work::1",
    "check::1",
    "work::2",
    "check::2",
    "after::0",
  ]);
  expect(run.events.filter((event) => event.type === "LoopAdvanced")).toEqual([
    { type: "LoopAdvanced", loopId: "l", iteration: 1 },
    { type: "LoopAdvanced", loopId: "l", iteration: 2 },
  ]);
  expect(run.events.find((event) => event.type === "LoopFinished")).toEqual({
    type: "LoopFinished",
    loopId: "l",
    iterations: 3,
    exhausted: false,
  });
});

it("does not end an iteration that still has work although until holds already", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { until: (here) => here.has("first") }, (inside) =>
        sequence(inside.task("first"), inside.task("second")),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["first::0", "second::0"]);
});

it("asks a frame that was really rendered, not one that could have been skipped", () => {
  const run = new ScriptedRun({
    plan: (at) => at.loop("l", { maxIterations: 3 }, (inside) => inside.task("x")),
  });
  const before = run.exchanges.length;
  run.playNext();
  const events = run.exchanges.slice(before).map(({ event }) => event.type);
  expect(events).toContain("attempt-finished");
  expect(events.indexOf("frame")).toBeGreaterThan(events.indexOf("attempt-finished"));
});

it("continues where it was when another process takes over", () => {
  const run = new ScriptedRun({
    plan: (at) => at.loop("l", { until: (here) => here.has("x", 3) }, (inside) => inside.task("x")),
  });
  run.play();
  for (const runSnapshot of run.images) {
    const rest = run.restart(runSnapshot);
    expect(rest.play()).toEqual({ kind: "finished" });
    expect(rest.finished).toEqual(["x::0", "x::1", "x::2", "x::3"]);
  }
});

it("starts where the run's options say", () => {
  const plan: ConstructorParameters<typeof ScriptedRun>[0]["plan"] = (at) =>
    sequence(
      at.loop("l", { maxIterations: 6 }, (inside) => inside.task("x")),
      at.loop("m", { maxIterations: 6 }, (inside) => inside.task("y")),
    );
  const run = new ScriptedRun({ plan, seed: { initialIteration: 4, initialIterations: { m: 5 } } });
  run.play();
  expect(run.finished).toEqual(["x::4", "x::5", "y::5"]);
});
