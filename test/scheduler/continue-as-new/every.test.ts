import { expect, it } from "vitest";
import { parallel, type PlanOf, sequence } from "../../support/scheduler/place.js";
import { finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

/** What each run of the chain finishes, up to the run that ends by itself. */
function chainOf(plan: PlanOf): string[][] {
  const chain: string[][] = [];
  let run = new ScriptedRun({ plan });
  while (chain.length < 20) {
    const stand = run.play();
    chain.push(run.finished);
    if (stand.kind !== "continued") {
      expect(stand).toEqual({ kind: "finished" });
      return chain;
    }
    expect(stand.continuation).toMatchObject({ state: undefined, keepsState: true });
    run = run.continued(stand.continuation);
  }
  throw new Error("The chain of runs does not end.");
}

it("continues at every multiple, with the iteration to continue with", () => {
  const chain = chainOf((at) =>
    at.loop("l", { maxIterations: 7, continueAsNewEvery: 3 }, (inside) => inside.task("x")),
  );
  expect(chain).toEqual([["x::0", "x::1", "x::2"], ["x::3", "x::4", "x::5"], ["x::6"]]);
});

it("runs nothing again that had ended before the loop", () => {
  const chain = chainOf((at) =>
    sequence(
      at.loop("a", { maxIterations: 2, continueAsNewEvery: 1 }, (inside) => inside.task("x")),
      at.loop("b", { maxIterations: 3, continueAsNewEvery: 1 }, (inside) => inside.task("y")),
    ),
  );
  expect(chain).toEqual([["x::0"], ["x::1", "y::0"], ["y::1"], ["y::2"]]);
});

it("keeps the place of the loops around it and begins those inside anew", () => {
  const chain = chainOf((at) =>
    at.loop("outer", { maxIterations: 2 }, (outside) =>
      sequence(
        outside.loop("inner", { maxIterations: 2, continueAsNewEvery: 1 }, (inside) => inside.task("x")),
        outside.task("y"),
      ),
    ),
  );
  expect(chain).toEqual([
    ["x@@outer=0::0"],
    ["x@@outer=0::1", "y::0", "x@@outer=1::0"],
    ["x@@outer=1::1", "y::1"],
  ]);
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
  expect(run.play()).toMatchObject({ kind: "continued", continuation: { loopId: "l", iteration: 1 } });
  expect(run.finished).toEqual(["x::0", "slow::0"]);
});
