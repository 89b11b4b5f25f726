import { expect, it } from "vitest";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = fail("boom", "AGENT_CONFIG_INVALID");

it("lets the catch and the finally part depend on the task that failed", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.task("a"),
        catch: at.task("rescue", { dependsOn: ["a"] }),
        finally: at.task("clean-up", { dependsOn: ["a", "rescue"] }),
      }),
    script: { a: fatal },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["rescue::0", "clean-up::0"]);
});

it("runs a finally part that depends on a task whose failure is not caught", () => {
  const run = new ScriptedRun({
    plan: (at) => at.tryBlock("t", { try: at.task("a"), finally: at.task("clean-up", { dependsOn: ["a"] }) }),
    script: { a: fatal },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { key: "a::0" } });
  expect(run.finished).toEqual(["clean-up::0"]);
});

it("lets a compensation depend on the action that failed", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a", { dependsOn: ["a", "b"] })],
        two: [at.task("b"), at.task("undo-b")],
      }),
    script: { b: fatal },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "undo-a::0"]);
});
