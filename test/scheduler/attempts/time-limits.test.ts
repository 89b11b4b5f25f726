import { taskKey } from "../../../src/model/address.js";
import { expect, it } from "vitest";
import { finishAfter, hang } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const aborts = (run: ScriptedRun) =>
  run.exchanges.flatMap(({ now, commands }) =>
    commands.flatMap((command) =>
      command.type === "abort" ? [[now, command.attempt, command.error.code]] : [],
    ),
  );

it("aborts an attempt at its limit and tries again", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 500, retryPolicy: {} }),
    script: { a: [hang, finishAfter(10)] },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(aborts(run)).toEqual([[500, 1, "TASK_TIMEOUT"]]);
  expect(run.started).toEqual(["a::0", "a::0"]);
});

it("fails with TASK_TIMEOUT when there is no retry", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 500, retries: 0 }),
    script: { a: hang },
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { key: "a::0", error: { code: "TASK_TIMEOUT", details: { timeoutMs: 500 } } },
  });
});

it("lets a result win that is there by the deadline", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 500 }),
    script: { a: finishAfter(500) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(aborts(run)).toEqual([]);
});

it("drops a result that comes after the abort", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 500, retries: 0 }),
    script: { a: { kind: "finish", after: 600, deaf: true } },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { code: "TASK_TIMEOUT" } } });
  expect(run.finished).toEqual([]);
  expect(run.runSnapshot.outputs).toEqual([]);
});

it("keeps the abort of an attempt that then says it does not apply", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 500, retries: 0 }),
    script: { a: { kind: "skip", after: 600, deaf: true } },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { code: "TASK_TIMEOUT" } } });
});

it("gives each attempt the whole limit", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 500, retries: 2, retryPolicy: {} }),
    script: { a: hang },
  });
  run.play();
  expect(aborts(run).map(([at]) => at)).toEqual([500, 1_000, 1_500]);
});

it("aborts an attempt that gives no sign of life", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { heartbeatTimeoutMs: 100, retries: 0 }),
    script: { a: hang },
  });
  expect(run.play()).toMatchObject({
    failure: { error: { code: "TASK_HEARTBEAT_TIMEOUT", details: { timeoutMs: 100 } } },
  });
  expect(run.events.find((event) => event.type === "TaskHeartbeatTimeout")).toMatchObject({
    lastHeartbeatAtMs: 0,
    timeoutMs: 100,
  });
});

it("counts the silence from the newest heartbeat", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { heartbeatTimeoutMs: 100, retries: 0 }),
    script: { a: hang },
  });
  for (const now of [60, 120, 180]) {
    run.advance(now - run.now);
    run.turn({ type: "heartbeat", key: taskKey({ nodeId: "a", iteration: 0 }), attempt: 1 });
  }
  expect(aborts(run)).toEqual([]);
  run.play();
  expect(aborts(run)).toEqual([[280, 1, "TASK_HEARTBEAT_TIMEOUT"]]);
});

it("ignores heartbeats of an earlier attempt", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { heartbeatTimeoutMs: 100, retries: 1, retryPolicy: {} }),
    script: { a: hang },
  });
  run.advance(150);
  run.turn({ type: "heartbeat", key: taskKey({ nodeId: "a", iteration: 0 }), attempt: 1 });
  run.play();
  expect(aborts(run).map(([at]) => at)).toEqual([100, 200]);
});

it("stops at the limit that comes first", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { timeoutMs: 90, heartbeatTimeoutMs: 100, retries: 0 }),
    script: { a: hang },
  });
  run.play();
  expect(aborts(run)).toEqual([[90, 1, "TASK_TIMEOUT"]]);
});
