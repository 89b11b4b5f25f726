import { taskKey } from "../../../src/model/address.js";
import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("runs an interrupted attempt again without counting it as a failure", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.task("b", { retries: 0 }), at.task("c")),
  });
  run.playNext();
  expect(run.stateOf("b")).toBe("in-progress");
  const rest = run.restart();
  expect(rest.events).toContainEqual(
    expect.objectContaining({ type: "NodeInterrupted", nodeId: "b", attempt: 1 }),
  );
  expect(rest.play()).toEqual({ kind: "finished" });
  expect(rest.started).toEqual(["a::0", "b::0", "b::0", "c::0"]);
  expect(rest.runSnapshot.nodes["b::0"]).toMatchObject({ lastAttempt: 2, failures: 0 });
  expect(rest.runSnapshot.openAttempts).toEqual({});
});

it("runs nothing again that had finished, whenever the process dies", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.task("b"), at.task("c"), at.task("d")),
    script: { b: [fail("once"), finishAfter(1)] },
  });
  run.play();
  for (const runSnapshot of run.images) {
    const rest = run.restart(runSnapshot);
    expect(rest.play()).toEqual({ kind: "finished" });
    expect(rest.finished).toEqual(["a::0", "b::0", "c::0", "d::0"]);
  }
});

it("fails again with the stored error if the process died while the run was failing", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a", { retries: 0 }), at.task("b")),
    script: { a: fail("gone") },
  });
  const stand = run.play();
  expect(run.restart().play()).toEqual(stand);
  expect(run.started).toEqual(["a::0"]);
});

it("drops results of attempts that are no longer current", () => {
  const run = new ScriptedRun({ plan: (at) => at.task("a"), script: { a: finishAfter(10) } });
  run.turn({
    type: "attempt-finished",
    key: taskKey({ nodeId: "a", iteration: 0 }),
    attempt: 2,
    cached: false,
  });
  run.turn({
    type: "attempt-failed",
    key: taskKey({ nodeId: "a", iteration: 0 }),
    attempt: 0,
    error: { name: "Error", message: "old" },
  });
  run.turn({
    type: "attempt-finished",
    key: taskKey({ nodeId: "nobody", iteration: 0 }),
    attempt: 1,
    cached: false,
  });
  expect(run.stateOf("a")).toBe("in-progress");
  expect(run.play()).toEqual({ kind: "finished" });
  run.turn({
    type: "attempt-failed",
    key: taskKey({ nodeId: "a", iteration: 0 }),
    attempt: 1,
    error: { name: "Error", message: "late" },
  });
  expect(run.stateOf("a")).toBe("finished");
});

it("starts nothing new once it is asked to stop, and keeps what still finishes", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")) });
  run.tell({ type: "stop" });
  run.playNext();
  expect(run.finished).toEqual(["a::0"]);
  expect(run.started).toEqual(["a::0"]);
  expect(run.disposition).toEqual({ kind: "active" });
  expect(run.restart().play()).toEqual({ kind: "finished" });
});

it("says when a row came from the cache", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.task("b")),
    script: { a: { kind: "finish", cached: true } },
  });
  run.play();
  const finished = run.events.filter((event) => event.type === "NodeFinished");
  expect(finished).toEqual([
    { type: "NodeFinished", nodeId: "a", iteration: 0, attempt: 1, cached: true },
    { type: "NodeFinished", nodeId: "b", iteration: 0, attempt: 1 },
  ]);
});

it("skips a task whose attempt finds that it does not apply, and continues", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.task("b")),
    script: { a: { kind: "skip" } },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("a")).toBe("skipped");
  expect(run.finished).toEqual(["b::0"]);
});
