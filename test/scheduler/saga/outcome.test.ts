import { expect, it } from "vitest";
import type { SagaPlan } from "../../../src/model/plan.js";
import { type Place, sequence } from "../../support/scheduler/place.js";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = fail("no such flight", "AGENT_CONFIG_INVALID");

const withPolicy = (onFailure: SagaPlan["onFailure"]) => (at: Place) =>
  sequence(
    at.saga("s", onFailure, {
      one: [at.task("a"), at.task("undo-a")],
      two: [at.task("b"), at.task("undo-b")],
    }),
    at.task("after"),
  );

it("lets the run continue after compensating", () => {
  const run = new ScriptedRun({ plan: withPolicy("compensate"), script: { b: fatal } });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "undo-a::0", "after::0"]);
  expect(run.stateOf("b")).toBe("failed");
});

it("fails with the action's own error after compensating, on request", () => {
  const run = new ScriptedRun({ plan: withPolicy("compensate-and-fail"), script: { b: fatal } });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { key: "b::0", error: { code: "AGENT_CONFIG_INVALID", message: "no such flight" } },
  });
  expect(run.finished).toEqual(["a::0", "undo-a::0"]);
  expect(run.stateOf("after")).toBe("pending");
});

it("fails without compensating, on request", () => {
  const run = new ScriptedRun({ plan: withPolicy("fail"), script: { b: fatal } });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { key: "b::0" } });
  expect(run.finished).toEqual(["a::0"]);
});

it("continues with a failure that the action itself tolerates", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a", { continueOnFail: true }), at.task("undo-a")],
        two: [at.task("b"), at.task("undo-b")],
      }),
    script: { a: fatal },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["b::0"]);
});
