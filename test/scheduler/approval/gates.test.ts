import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const gated = { needsApproval: true } as const;

it("holds a task back until it is approved, then runs it", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a", gated), at.task("b")) });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.runSnapshot.approvals["a::0"]).toMatchObject({ mode: "gate", request: { title: "a" } });
  expect(run.started).toEqual([]);
  run.decide("a", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "b::0"]);
});

it("asks under the task's label", () => {
  const run = new ScriptedRun({ plan: (at) => at.task("a", { ...gated, label: "Deploy" }) });
  expect(run.runSnapshot.approvals["a::0"]).toMatchObject({ request: { title: "Deploy" } });
});

it("fails the task that was denied, and the run unless that is tolerated", () => {
  const strict = new ScriptedRun({ plan: (at) => at.task("a", gated) });
  strict.decide("a", false);
  expect(strict.play()).toMatchObject({ kind: "failed", failure: { error: { code: "APPROVAL_DENIED" } } });

  const tolerant = new ScriptedRun({
    plan: (at) => sequence(at.task("a", { ...gated, continueOnFail: true }), at.task("b")),
  });
  tolerant.decide("a", false);
  expect(tolerant.play()).toEqual({ kind: "finished" });
  expect(tolerant.finished).toEqual(["b::0"]);
  expect(tolerant.stateOf("a")).toBe("failed");
});

it("asks once, however often the task is tried and by any process", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", gated),
    script: { a: [fail("one"), fail("two"), finishAfter(1)] },
  });
  run.decide("a", true);
  run.playNext();
  const rest = run.restart();
  expect(rest.play()).toEqual({ kind: "finished" });
  expect(rest.events.filter((event) => event.type === "ApprovalRequested")).toHaveLength(1);
});

it("leaves the task's own time limit to its attempts", () => {
  const run = new ScriptedRun({ plan: (at) => at.task("a", { ...gated, timeoutMs: 100 }) });
  run.advance(5_000);
  expect(run.disposition).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("a", true);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("does not ask about a task that is skipped", () => {
  const run = new ScriptedRun({ plan: (at) => at.task("a", { ...gated, skipIf: true }) });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.runSnapshot.approvals).toEqual({});
});

it("does not count a waiting task against a cap", () => {
  const run = new ScriptedRun({
    maxConcurrency: 1,
    plan: (at) => parallel(at.task("a", gated), at.task("b")),
  });
  run.play();
  expect(run.finished).toEqual(["b::0"]);
});

it("applies a decision made in the same moment as others, each to its own gate", () => {
  const run = new ScriptedRun({ plan: (at) => parallel(at.task("a", gated), at.task("b", gated)) });
  run.turn(
    ...["b", "a"].map((nodeId) => ({
      type: "intent" as const,
      intent: run.post({ kind: "approval", nodeId, iteration: 0, decision: { approved: true }, atMs: 0 }),
    })),
  );
  expect(run.play()).toEqual({ kind: "finished" });
});
