import { expect, it } from "vitest";
import { parallel } from "../../support/scheduler/place.js";
import { finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("continues at every multiple, with the iteration to go on with", () => {
  const plan: ConstructorParameters<typeof ScriptedRun>[0]["plan"] = (at) =>
    at.loop("l", { maxIterations: 7, continueAsNewEvery: 3 }, (inside) => inside.task("x"));
  const chain: string[][] = [];
  let initialIterations: Record<string, number> = {};
  for (;;) {
    const run = new ScriptedRun({ plan, seed: { initialIterations } });
    const stand = run.play();
    chain.push(run.finished);
    if (stand.kind !== "continued") {
      expect(stand).toEqual({ kind: "finished" });
      break;
    }
    expect(stand.continuation.state).toBeUndefined();
    initialIterations = stand.continuation.loops;
  }
  expect(chain).toEqual([["x::0", "x::1", "x::2"], ["x::3", "x::4", "x::5"], ["x::6"]]);
});

it("does not continue when the loop is done at the multiple", () => {
  const byUntil = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { until: (here) => here.has("x", 1), continueAsNewEvery: 2 }, (inside) =>
        inside.task("x"),
      ),
  });
  expect(byUntil.play()).toEqual({ kind: "finished" });
  const byLimit = new ScriptedRun({
    plan: (at) => at.loop("l", { maxIterations: 2, continueAsNewEvery: 2 }, (inside) => inside.task("x")),
  });
  expect(byLimit.play()).toEqual({ kind: "finished" });
});

it("waits for tasks beside the loop that still run", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.loop("l", { maxIterations: 9, continueAsNewEvery: 1 }, (inside) => inside.task("x")),
        at.task("slow"),
      ),
    script: { slow: finishAfter(40) },
  });
  expect(run.play()).toMatchObject({ kind: "continued", continuation: { loops: { l: 1 }, iteration: 1 } });
  expect(run.finished).toEqual(["x::0", "slow::0"]);
});
