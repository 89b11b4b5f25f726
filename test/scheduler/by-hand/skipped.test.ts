import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const skip = (nodeId: string, more: { iteration?: number; by?: string; note?: string } = {}) =>
  ({ kind: "skip", nodeId, iteration: 0, ...more }) as const;

it("a task is left out, and what comes after it or depends on it goes on as after skipIf", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        sequence(at.task("slow"), at.task("a"), at.task("b")),
        at.task("dependent", { dependsOn: ["a"] }),
      ),
    script: { slow: finishAfter(50) },
  });
  run.send(skip("a", { by: "ann", note: "no time" }));
  expect(run.stateOf("a")).toBe("skipped");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["slow::0", "b::0", "dependent::0"]);
  expect(run.events).toContainEqual({
    type: "NodeSkipped",
    nodeId: "a",
    iteration: 0,
    reason: "by hand: no time",
    skippedBy: "ann",
  });
});

it("a timer is left out without firing", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.timer("t", { durationMs: 60_000 }), at.task("after")),
  });
  run.send(skip("t"));
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.now).toBeLessThan(60_000);
  const types = run.events.map(({ type }) => type);
  expect(types).toContain("TimerCancelled");
  expect(types).not.toContain("TimerFired");
});

it("every task of a block that is left out lets its finally run", () => {
  const run = new ScriptedRun({
    plan: (at) => at.tryBlock("t", { try: at.event("a"), catch: at.task("c"), finally: at.task("f") }),
  });
  run.send(skip("a"));
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["f::0"]);
});
