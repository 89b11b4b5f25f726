import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("continues once the element is reached, with its state", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.continueAsNew({ page: 2 }), at.task("never")),
  });
  expect(run.play()).toEqual({
    kind: "continued",
    continuation: { state: { page: 2 }, loopId: null, iteration: 0 },
  });
  expect(run.finished).toEqual(["a::0"]);
});

it("lets running tasks finish and starts nothing else", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(sequence(at.task("a"), at.continueAsNew()), sequence(at.task("slow"), at.task("never"))),
    script: { slow: finishAfter(50) },
  });
  expect(run.play().kind).toBe("continued");
  expect(run.finished).toEqual(["a::0", "slow::0"]);
  expect(run.stateOf("never")).toBe("pending");
});

it("continues with the next iteration of the loops around it", () => {
  const run = new ScriptedRun({
    seed: { initialIterations: { l: 7 } },
    plan: (at) =>
      at.loop("l", { maxIterations: 100 }, (inside) => sequence(inside.task("a"), inside.continueAsNew("s"))),
  });
  expect(run.play()).toEqual({
    kind: "continued",
    continuation: { state: "s", loopId: "l", iteration: 8, isBounded: true },
  });
  expect(run.finished).toEqual(["a::7"]);
});

it("continues with the innermost of two loops around it", () => {
  const run = new ScriptedRun({
    seed: { initialIterations: { outer: 2, "inner@@outer=2": 4 } },
    plan: (at) =>
      at.loop("outer", { maxIterations: 100 }, (outside) =>
        outside.loop("inner", { maxIterations: 100 }, (inside) =>
          sequence(inside.task("a"), inside.continueAsNew("s")),
        ),
      ),
  });
  expect(run.play()).toEqual({
    kind: "continued",
    continuation: { state: "s", loopId: "inner@@outer=2", iteration: 5, isBounded: true },
  });
});

it.each(["return-last", "fail"] as const)(
  "is passed over in the last iteration that its loop may have, which then ends with %s",
  (onMaxReached) => {
    const run = new ScriptedRun({
      seed: { initialIterations: { l: 2 } },
      plan: (at) =>
        at.loop("l", { maxIterations: 3, onMaxReached }, (inside) =>
          sequence(inside.task("a"), inside.continueAsNew("s")),
        ),
    });
    const end = run.play();
    if (onMaxReached === "return-last") expect(end).toEqual({ kind: "finished" });
    else expect(end).toMatchObject({ kind: "failed", failure: { error: { code: "RALPH_MAX_REACHED" } } });
    expect(run.finished).toEqual(["a::2"]);
  },
);

it("is passed over in a block that has failed", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: sequence(at.task("a"), at.task("b"), at.continueAsNew()),
        catch: at.task("c"),
      }),
    script: { a: fail("no", "AGENT_CONFIG_INVALID") },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["c::0"]);
});

it("is passed over behind a denied approval", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.approval("ok", { approvalOnDeny: "skip" }), at.task("a"), at.continueAsNew()),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("gives way to a failure of a task that was still running", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(sequence(at.task("a"), at.continueAsNew()), at.task("slow")),
    script: { slow: { kind: "fail", after: 20, error: { code: "AGENT_CONFIG_INVALID" } } },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { key: "slow::0" } });
});
