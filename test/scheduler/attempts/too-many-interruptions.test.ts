import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { fail, hang, type Outcome } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

/** The process dies this many times while it runs the second task. */
function dying(times: number, props: object = {}) {
  let run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.task("b", props), at.task("c")),
    script: { b: fail("only the third time") },
  });
  run.playNext();
  for (let count = 0; count < times; count += 1) run = run.restart();
  return run;
}

it("a task whose process dies ten times in a row fails, and does not run an eleventh time", () => {
  const run = dying(10);
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { key: "b::0", error: { code: "TASK_INTERRUPTED_TOO_OFTEN", retryable: false } },
  });
  expect(run.started.filter((key) => key === "b::0")).toHaveLength(10);
});

it("a task that tolerates failures is passed by", () => {
  expect(dying(10, { continueOnFail: true }).play()).toEqual({ kind: "finished" });
});

it("an attempt that finds the quota exhausted has ended by itself: those before it no longer count", () => {
  const quota: Outcome = { kind: "quota", resetAtMs: 10 };
  let run = new ScriptedRun({
    plan: (at) => at.task("b"),
    script: { b: [...Array.from({ length: 9 }, () => hang), quota, hang] },
  });
  for (let count = 0; count < 9; count += 1) run = run.restart();
  expect(run.playOut()).toEqual({ kind: "active" });
  expect(run.restart().stateOf("b")).toBe("in-progress");
});
