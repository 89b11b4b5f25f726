import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = (message: string) => fail(message, "AGENT_CONFIG_INVALID");

it("runs the finally part after a catch that fails, then fails with what the catch threw", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.task("a"),
        catch: sequence(at.task("rescue"), at.task("never")),
        finally: at.task("clean-up"),
      }),
    script: { a: fatal("first"), rescue: fatal("second") },
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { error: { message: "second", cause: { message: "first" } } },
  });
  expect(run.finished).toEqual(["clean-up::0"]);
  expect(run.stateOf("never")).toBe("skipped");
});

it("fails a block that had gone well if its finally part fails", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.tryBlock("t", {
          try: at.task("a"),
          catch: at.task("rescue"),
          finally: sequence(at.task("clean-up"), at.task("never")),
        }),
        at.task("after"),
      ),
    script: { "clean-up": fatal("stuck") },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { message: "stuck" } } });
  expect(run.finished).toEqual(["a::0"]);
  expect(run.stateOf("never")).toBe("skipped");
});

it("puts the failure of the finally part before the block's own", () => {
  const run = new ScriptedRun({
    plan: (at) => at.tryBlock("t", { try: at.task("a"), finally: at.task("clean-up") }),
    script: { a: fatal("first"), "clean-up": fatal("second") },
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { error: { message: "second", cause: { message: "first" } } },
  });
});

it("runs the whole finally part although something failed and was caught inside it", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.task("a"),
        finally: sequence(
          at.tryBlock("inner", { try: at.task("x"), catch: at.task("x-rescue") }),
          at.task("y"),
        ),
      }),
    script: { a: fatal("first"), x: fatal("x broke") },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { message: "first" } } });
  expect(run.finished).toEqual(["x-rescue::0", "y::0"]);
});

it("ends when a loop in the finally part reaches its limit", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.task("a"),
        finally: at.loop("l", { maxIterations: 1, onMaxReached: "fail" }, (inside) => inside.task("x")),
      }),
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { code: "RALPH_MAX_REACHED" } } });
  expect(run.finished).toEqual(["a::0", "x::0"]);
});

it("does not iterate a loop of the catch when nothing fails", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.task("a"),
        catch: at.loop("l", { maxIterations: 3 }, (inside) => inside.task("x")),
      }),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["a::0"]);
});
