import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const plan = (onTimeout: "fail" | "skip" | "continue") => (at: Parameters<ScriptedRun["setup"]["plan"]>[0]) =>
  sequence(at.event("go", { timeoutMs: 1_000, onTimeout }), at.task("after"));

it("fails the run when no event came in time", () => {
  const run = new ScriptedRun({ plan: plan("fail") });
  expect(run.playOut()).toMatchObject({
    kind: "failed",
    failure: { key: "go::0", error: { code: "TASK_TIMEOUT" } },
  });
  expect(run.now).toBe(1_000);
});

it("skips the node with onTimeout skip", () => {
  const run = new ScriptedRun({ plan: plan("skip") });
  expect(run.playOut()).toEqual({ kind: "finished" });
  expect(run.stateOf("go")).toBe("skipped");
  expect(run.finished).toEqual(["after::0"]);
});

it("finishes the node with onTimeout continue", () => {
  const run = new ScriptedRun({ plan: plan("continue") });
  expect(run.playOut()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["go::0", "after::0"]);
  expect(run.events.filter((event) => event.type === "EventWaitTimedOut")).toHaveLength(1);
});

it("keeps the deadline across restarts, however late the next process comes", () => {
  const run = new ScriptedRun({ plan: plan("skip") });
  run.play();
  const early = run.restart(run.runSnapshot, { now: 400 });
  expect(early.play()).toEqual({ kind: "waiting", status: "waiting-event" });
  expect(early.playOut()).toEqual({ kind: "finished" });
  expect(early.now).toBe(1_001);
  expect(run.restart(run.runSnapshot, { now: 90_000 }).play()).toEqual({ kind: "finished" });
});

it("ends an approval without an answer", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok", { timeoutMs: 500 }) });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.playOut()).toMatchObject({
    kind: "failed",
    failure: { key: "ok::0", error: { code: "TASK_TIMEOUT" } },
  });
  expect(run.now).toBe(500);
  run.decide("ok", true);
  expect(run.stateOf("ok")).toBe("failed");
});

it("lets an answer win that is there by the deadline", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok", { timeoutMs: 500 }) });
  run.now = 500;
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
});
