import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("ends with its last result at maxIterations, and is remembered as exhausted", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.loop("l", { maxIterations: 3 }, (inside) => inside.task("x")),
        at.task("after"),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["x::0", "x::1", "x::2", "after::0"]);
  expect([...run.state.exhausted]).toEqual(["l"]);
  expect([...run.restart().state.exhausted]).toEqual(["l"]);
});

it("is not exhausted when until holds in the last iteration", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { maxIterations: 3, until: (here) => here.has("x", 2) }, (inside) => inside.task("x")),
  });
  run.play();
  expect([...run.state.exhausted]).toEqual([]);
});

it("fails the run at maxIterations on request", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.loop("l", { maxIterations: 2, onMaxReached: "fail" }, (inside) => inside.task("x")),
        at.task("after"),
      ),
  });
  const expected = {
    kind: "failed",
    failure: {
      key: null,
      error: { code: "RALPH_MAX_REACHED", details: { loopId: "l", maxIterations: 2 } },
    },
  };
  expect(run.play()).toMatchObject(expected);
  expect(run.finished).toEqual(["x::0", "x::1"]);
  expect(run.restart().play()).toMatchObject(expected);
});

it("hands a loop that reached its limit to the block around it", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.tryBlock("t", {
          try: sequence(
            at.loop("l", { maxIterations: 2, onMaxReached: "fail" }, (inside) => inside.task("x")),
            at.task("never"),
          ),
          catch: (error) => at.task(`caught-${error.code}`),
        }),
        at.task("after"),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["x::0", "x::1", "caught-RALPH_MAX_REACHED::0", "after::0"]);
  expect([...run.state.exhausted]).toEqual(["l"]);
});

it("takes Infinity at its word", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop(
        "l",
        { maxIterations: Number.POSITIVE_INFINITY, until: (here) => here.has("x", 300) },
        (inside) => inside.task("x"),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toHaveLength(301);
});

it("runs an empty body to its limit and refuses one without a limit", () => {
  const limited = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.loop("l", { maxIterations: 4 }, () => sequence()),
        at.task("after"),
      ),
  });
  expect(limited.play()).toEqual({ kind: "finished" });
  expect(limited.runSnapshot.controls["l"]).toMatchObject({ iteration: 3, exhausted: true });

  const endless = new ScriptedRun({
    plan: (at) => at.loop("l", { maxIterations: Number.POSITIVE_INFINITY }, () => sequence()),
  });
  expect(endless.play()).toMatchObject({ kind: "failed", failure: { error: { code: "SCHEDULER_ERROR" } } });
});

it("neither runs nor iterates with skipIf", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.loop("l", { skipIf: true, maxIterations: Number.POSITIVE_INFINITY }, (inside) =>
          parallel(inside.task("x"), inside.approval("ok")),
        ),
        at.task("after", { dependsOn: ["x"] }),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["after::0"]);
  expect(run.stateOf("x")).toBe("skipped");
  expect(run.stateOf("x", 1)).toBeUndefined();
});

it("iterates although a task of the body is skipped in some iterations", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { maxIterations: 4 }, (inside) =>
        inside.task("x", { skipIf: inside.iteration % 2 === 0 }),
      ),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["x::1", "x::3"]);
});

it("lets parallel loops advance on their own", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.loop("slow", { maxIterations: 2 }, (inside) => inside.task("s")),
        at.loop("fast", { maxIterations: 3 }, (inside) => inside.task("f")),
      ),
    script: { s: { kind: "finish", after: 10 } },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["f::0", "f::1", "f::2", "s::0", "s::1"]);
});
