import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("waits for a decision and then writes its row", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.approval("ok"), at.task("after")) });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.runSnapshot.approvals["ok::0"]).toMatchObject({
    status: "requested",
    mode: "decision",
    decision: null,
  });

  run.decide("ok", true);
  expect(run.runSnapshot.approvals["ok::0"]).toMatchObject({
    status: "approved",
    decision: { approved: true },
  });
  expect(run.runSnapshot.inbox).toEqual([]);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["ok::0", "after::0"]);
});

it("applies a decision that was made while no process drove the run", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok") });
  run.play();
  run.post({ kind: "approval", nodeId: "ok", iteration: 0, decision: { approved: true }, atMs: 5 });
  const later = run.restart();
  expect(later.play()).toEqual({ kind: "finished" });
  expect(later.runSnapshot.inbox).toEqual([]);
});

it("lets the first of two decisions stand", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok") });
  run.decide("ok", true);
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.runSnapshot.approvals["ok::0"]).toMatchObject({ status: "approved" });
  expect(run.events.filter((event) => event.type.startsWith("ApprovalDenied"))).toEqual([]);
  expect(run.runSnapshot.inbox).toEqual([]);
});

it("drops a decision about something that was not asked", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok") });
  run.decide("other", true);
  run.decide("ok", true, 3);
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.runSnapshot.inbox).toEqual([]);
});

it("asks again in every iteration of a loop, each with its own address", () => {
  const run = new ScriptedRun({
    plan: (at) => at.loop("l", { maxIterations: 2 }, (inside) => inside.approval("ok")),
  });
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("ok", true, 0);
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("ok", true, 1);
  expect(run.play()).toEqual({ kind: "finished" });
});

it("does not ask again after a restart", () => {
  const run = new ScriptedRun({ plan: (at) => at.approval("ok") });
  run.play();
  const later = run.restart(run.runSnapshot, { now: 5_000 });
  expect(later.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(later.events.filter((event) => event.type === "ApprovalRequested")).toHaveLength(1);
  expect(later.runSnapshot.approvals["ok::0"]).toMatchObject({ requestedAtMs: 0 });
  expect(later.runSnapshot.nodes["ok::0"]).toMatchObject({ waitingSinceMs: 0 });
});
