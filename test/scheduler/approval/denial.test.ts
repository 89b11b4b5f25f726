import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("fails the run by default, naming who denied and why", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.approval("ok"), at.task("after")) });
  run.send({
    kind: "approval",
    nodeId: "ok",
    iteration: 0,
    decision: { approved: false, decidedBy: "ann", note: "too dear" },
    atMs: 1,
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { key: "ok::0", error: { code: "APPROVAL_DENIED", message: "ok was denied by ann: too dear." } },
  });
  expect(run.stateOf("after")).toBe("pending");
});

it("continues past a denied approval whose failure is tolerated", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.approval("ok", { continueOnFail: true }), at.task("after")),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["after::0"]);
});

it("writes the decision and continues with onDeny continue", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.approval("ok", { approvalOnDeny: "continue" }), at.task("after")),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["ok::0", "after::0"]);
});

it("skips the node, what follows it and what depends on these with onDeny skip", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        sequence(
          at.approval("ok", { approvalOnDeny: "skip" }),
          sequence(at.task("next"), at.task("next-but-one")),
          parallel(at.task("branch")),
        ),
        at.task("dependent", { dependsOn: ["next"] }),
        at.task("needing", { needs: { row: "dependent" } }),
        at.task("free"),
      ),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["free::0"]);
  for (const id of ["ok", "next", "next-but-one", "branch", "dependent", "needing"]) {
    expect([id, run.stateOf(id)]).toEqual([id, "skipped"]);
  }
});

it("does not iterate a loop behind a denied approval", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.approval("ok", { approvalOnDeny: "skip" }),
        at.loop("l", { maxIterations: Number.POSITIVE_INFINITY }, (inside) => inside.task("x")),
      ),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual([]);
});

it("does not iterate a loop of which every task depends on a denied approval", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.approval("ok", { approvalOnDeny: "skip" }),
        at.loop("l", { maxIterations: Number.POSITIVE_INFINITY }, (inside) =>
          sequence(inside.task("x", { dependsOn: ["ok"] }), inside.task("y", { dependsOn: ["x"] })),
        ),
      ),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual([]);
});

it("skips tasks that depend on a denied approval in every iteration", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.approval("ok", { approvalOnDeny: "skip" }),
        at.loop("l", { maxIterations: 3 }, (inside) =>
          parallel(inside.task("x", { dependsOn: ["ok"] }), inside.task("y")),
        ),
      ),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["y::0", "y::1", "y::2"]);
  for (const runSnapshot of run.images.slice(1)) {
    const rest = run.restart(runSnapshot);
    expect(rest.play()).toEqual({ kind: "finished" });
    expect(rest.stateOf("x", 2)).toBe("skipped");
  }
});

it("skips what a later frame puts behind a denied approval", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        sequence(
          at.approval("ok", { approvalOnDeny: "skip" }),
          at.task("next"),
          ...(at.has("slow") ? [at.task("late")] : []),
        ),
        at.task("slow"),
      ),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["slow::0"]);
  expect(run.stateOf("late")).toBe("skipped");
});

it("lets a follower of an asynchronous approval finish if it runs when the denial comes", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(at.approval("ok", { approvalOnDeny: "skip", waitAsync: true }), at.task("a"), at.task("b")),
  });
  run.decide("ok", false);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0"]);
  expect(run.stateOf("b")).toBe("skipped");
});

it("passes a denial on to tasks that depend on it indirectly, also after a restart", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.approval("ok", { approvalOnDeny: "skip" }), at.task("next")),
  });
  run.decide("ok", false);
  run.play();
  const grown = run.restart(run.runSnapshot, {
    plan: (at) =>
      parallel(
        at.task("third", { dependsOn: ["second"] }),
        at.task("second", { dependsOn: ["next"] }),
        at.tryBlock("t", {
          try: sequence(at.approval("ok", { approvalOnDeny: "skip" }), at.task("next")),
        }),
      ),
  });
  expect(grown.play()).toEqual({ kind: "finished" });
  expect([grown.stateOf("second"), grown.stateOf("third")]).toEqual(["skipped", "skipped"]);
});
