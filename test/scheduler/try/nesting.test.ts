import { expect, it } from "vitest";
import { parallel, type Place, sequence } from "../../support/scheduler/place.js";
import { fail, type Script } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = (message: string) => fail(message, "AGENT_CONFIG_INVALID");

const nested = (at: Place) =>
  sequence(
    at.tryBlock("outer", {
      try: sequence(
        at.tryBlock("inner", {
          try: at.task("a"),
          catch: at.task("inner-catch"),
          finally: at.task("inner-finally"),
        }),
        at.task("b"),
      ),
      catch: at.task("outer-catch"),
      finally: at.task("outer-finally"),
    }),
    at.task("after"),
  );

const finishedOf = (script: Script) => {
  const run = new ScriptedRun({ plan: nested, script });
  expect(run.play()).toEqual({ kind: "finished" });
  for (const runSnapshot of run.images) {
    const rest = run.restart(runSnapshot);
    expect(rest.play()).toEqual({ kind: "finished" });
    expect(rest.finished).toEqual(run.finished);
  }
  return run.finished.map((key) => key.slice(0, -3));
};

it("handles a failure in the innermost block that catches it", () => {
  expect(finishedOf({ a: fatal("a") })).toEqual([
    "inner-catch",
    "inner-finally",
    "b",
    "outer-finally",
    "after",
  ]);
});

it("hands what the inner catch throws to the outer one, after the inner finally part", () => {
  expect(finishedOf({ a: fatal("a"), "inner-catch": fatal("inner") })).toEqual([
    "inner-finally",
    "outer-catch",
    "outer-finally",
    "after",
  ]);
});

it("hands what the inner finally part throws to the outer one", () => {
  expect(finishedOf({ "inner-finally": fatal("inner") })).toEqual([
    "a",
    "outer-catch",
    "outer-finally",
    "after",
  ]);
});

it("compensates a saga inside a block before the block catches", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.saga("s", "compensate-and-fail", {
          one: [at.task("a"), at.task("undo-a")],
          two: [at.task("b"), at.task("undo-b")],
        }),
        catch: (error) => at.task(`caught-${error.message}`),
      }),
    script: { b: fatal("b") },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "undo-a::0", "caught-b::0"]);
});

it("gives every iteration of a loop its own block", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { maxIterations: 3 }, (inside) =>
        inside.tryBlock("t", { try: inside.task("a"), catch: inside.task("rescue") }),
      ),
    script: { "a::1": fatal("second") },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "rescue::1", "a::2"]);
});

it("leaves a block beside the failed one alone", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.tryBlock("t1", { try: sequence(at.task("a"), at.task("a2")), catch: at.task("rescue-1") }),
        at.tryBlock("t2", { try: sequence(at.task("b"), at.task("b2")), catch: at.task("rescue-2") }),
      ),
    script: { a: fatal("a") },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect([...run.finished].sort()).toEqual(["b2::0", "b::0", "rescue-1::0"]);
});
