import { expect, it } from "vitest";
import { type Place, parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter, hang } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const complete = (nodeId: string, more: { iteration?: number; by?: string; note?: string } = {}) =>
  ({ kind: "complete", nodeId, iteration: 0, output: {}, ...more }) as const;

it("a task that has not begun is finished without an attempt, and what comes after it runs when its turn comes", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("slow"), at.task("a"), at.task("b")),
    script: { slow: finishAfter(50) },
  });
  run.send(complete("a"));
  expect([run.stateOf("a"), run.stateOf("b")]).toEqual(["finished", "pending"]);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["slow::0", "b::0"]);
});

it("the log says who did it and why, and then that the task has its row", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.event("go"), at.task("after")) });
  run.send(complete("go", { by: "ann", note: "told by phone" }));
  const told = run.events.slice(run.events.findIndex(({ type }) => type === "NodeCompletedByHand"));
  expect(told.slice(0, 2)).toEqual([
    { type: "NodeCompletedByHand", nodeId: "go", iteration: 0, completedBy: "ann", note: "told by phone" },
    { type: "NodeFinished", nodeId: "go", iteration: 0, attempt: 0 },
  ]);
});

it.each<
  [string, (at: Place) => ReturnType<Place["task"]>, ConstructorParameters<typeof ScriptedRun>[0]["script"]]
>([
  ["for a signal", (at) => at.event("a", { timeoutMs: 1_000 }), {}],
  ["for quota", (at) => at.task("a"), { a: { kind: "quota", resetAtMs: 5_000 } }],
  ["for its next attempt", (at) => at.task("a", { retryPolicy: { initialDelayMs: 5_000 } }), { a: fail() }],
])("a task that waits %s is finished, and waits no more", (_for, task, script = {}) => {
  const run = new ScriptedRun({ plan: (at) => sequence(task(at), at.task("b")), script });
  run.advance(10);
  const attempts = run.started.length;
  run.send(complete("a"));
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started.slice(attempts)).toEqual(["b::0"]);
  expect(run.now).toBeLessThan(1_000);
  expect(run.runSnapshot.nodes["a::0"]).toMatchObject({ dueAtMs: null, wait: null, error: null });
});

it("a signal that had come for it is free for another task", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(at.event("a", { name: "go" }), sequence(at.task("x"), at.event("b", { name: "go" }))),
    maxConcurrency: 1,
    script: { x: finishAfter(20) },
  });
  run.signal("go");
  run.send(complete("a"));
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "x::0", "b::0"]);
});

it("a task of a loop is finished in its round, and the loop goes on to the next", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.loop("l", { maxIterations: 2 }, (inside) => sequence(inside.event("a"), inside.task("b"))),
  });
  run.send(complete("a"));
  run.play();
  expect([run.stateOf("a", 0), run.stateOf("a", 1)]).toEqual(["finished", "waiting-event"]);
  run.send(complete("a", { iteration: 1 }));
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["b::0", "b::1"]);
});

it("is finished once, whenever another process takes over", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.event("a"), at.task("b")), script: { b: hang } });
  const waiting = run.runSnapshot;
  run.post(complete("a"));
  for (const image of [run.runSnapshot, { ...waiting, inbox: run.runSnapshot.inbox }]) {
    const next = run.restart(image, { script: {} });
    expect(next.play()).toEqual({ kind: "finished" });
    expect(next.events.filter(({ type }) => type === "NodeCompletedByHand")).toHaveLength(1);
    const last = next.restart();
    expect(last.play()).toEqual({ kind: "finished" });
    expect(last.finished).toEqual(next.finished);
  }
});
