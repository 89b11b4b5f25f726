import { expect, it } from "vitest";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("asks again as often as `retries` says when no decision comes in time, then fails", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok", { timeoutMs: 1_000, retries: 2 }) });
  expect(run.playOut()).toMatchObject({
    kind: "failed",
    failure: { key: "ok::0", error: { code: "TASK_TIMEOUT" } },
  });
  expect(run.now).toBe(3_000);
  const types = run.events.map(({ type }) => type);
  expect(types.filter((type) => type === "ApprovalRequested")).toHaveLength(3);
  expect(types.filter((type) => type === "ApprovalTimedOut")).toHaveLength(3);
});

it("takes the decision on the question that was asked again", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok", { timeoutMs: 1_000, retries: 1 }) });
  run.advance(1_500);
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("asks again after the delays of its own `retryPolicy`, and takes no decision in between", () => {
  const retryPolicy = { backoff: "linear", initialDelayMs: 500 } as const;
  const run = new ScriptedRun({
    plan: (at) => at.approval("ok", { timeoutMs: 1_000, retries: 2, retryPolicy }),
  });
  run.advance(1_200);
  expect(run.stateOf("ok")).toBe("pending");
  run.decide("ok", true);
  expect(run.playOut()).toMatchObject({ kind: "failed", failure: { error: { code: "TASK_TIMEOUT" } } });
  const types = run.events.map(({ type }) => type);
  expect(types.filter((type) => type === "ApprovalRequested")).toHaveLength(3);
  expect(types.filter((type) => type === "ApprovalGranted")).toHaveLength(0);
  expect(types.filter((type) => type === "DecisionRefused")).toHaveLength(1);
  expect(run.now).toBe(1_000 + 500 + 1_000 + 1_000 + 1_000);
});

it("keeps to the delay across a restart", () => {
  const retryPolicy = { initialDelayMs: 500 };
  const before = new ScriptedRun({
    plan: (at) => at.approval("ok", { timeoutMs: 1_000, retries: 1, retryPolicy }),
  });
  before.advance(1_200);
  const run = before.restart();
  run.advance(200);
  expect(run.stateOf("ok")).toBe("pending");
  run.advance(200);
  expect(run.stateOf("ok")).toBe("waiting-approval");
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
});
