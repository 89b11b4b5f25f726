import { expect, it } from "vitest";
import { taskKey } from "../../../src/model/address.js";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const firings = (run: ScriptedRun) =>
  run.events.flatMap((event) => (event.type === "TimerFired" ? [[event.nodeId, event.firesAtMs]] : []));

it("fires after its duration, counted from when it is reached", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a"), at.timer("t", { durationMs: 1_000 }), at.task("b")),
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-timer" });
  expect(run.playOut()).toEqual({ kind: "finished" });
  expect(firings(run)).toEqual([["t", 1_001]]);
});

it("fires at an absolute time, at once if that has passed", () => {
  const plan: ConstructorParameters<typeof ScriptedRun>[0]["plan"] = (at) =>
    at.timer("t", { untilMs: 5_000 });
  const early = new ScriptedRun({ plan });
  early.playOut();
  expect(firings(early)).toEqual([["t", 5_000]]);
  const late = new ScriptedRun({ plan, now: 9_000 });
  expect(late.play()).toEqual({ kind: "finished" });
  expect(firings(late)).toEqual([["t", 5_000]]);
});

it("keeps its fire time across restarts", () => {
  const run = new ScriptedRun({ plan: (at) => at.timer("t", { durationMs: 1_000 }) });
  const later = run.restart(run.runSnapshot, { now: 700 });
  expect(later.play()).toEqual({ kind: "waiting", status: "waiting-timer" });
  later.playOut();
  expect(firings(later)).toEqual([["t", 1_000]]);
  expect(later.events.filter((event) => event.type === "TimerCreated")).toHaveLength(1);

  const afterDays = run.restart(run.runSnapshot, { now: 1_000_000 });
  expect(afterDays.play()).toEqual({ kind: "finished" });
  expect(firings(afterDays)).toEqual([["t", 1_000]]);
});

it("keeps a fire time that an earlier run of the chain had fixed, for one iteration only", () => {
  const run = new ScriptedRun({
    now: 600,
    seed: { initialTimers: { [taskKey({ nodeId: "t", iteration: 0 })]: 1_000 } },
    plan: (at) => at.loop("l", { maxIterations: 2 }, (inside) => inside.timer("t", { durationMs: 500 })),
  });
  run.playOut();
  expect(firings(run)).toEqual([
    ["t", 1_000],
    ["t", 1_501],
  ]);
});

it("lets parallel timers fire in the order of their times", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(at.timer("slow", { durationMs: 300 }), at.timer("fast", { durationMs: 100 }), at.event("go")),
  });
  expect(run.playOut()).toEqual({ kind: "waiting", status: "waiting-event" });
  expect(firings(run)).toEqual([
    ["fast", 100],
    ["slow", 300],
  ]);
});

it("is cancelled, and says so, when it leaves the tree or its block is over", () => {
  const cancelled = (run: ScriptedRun) =>
    run.events.flatMap((event) => (event.type === "TimerCancelled" ? [event.nodeId] : []));
  const left = new ScriptedRun({
    plan: (at) =>
      at.has("a")
        ? at.task("a")
        : parallel(at.task("a"), at.timer("t", { durationMs: 1_000 }), at.event("go")),
  });
  left.play();
  expect(cancelled(left)).toEqual(["t"]);
  const over = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("block", {
        try: parallel(at.timer("t", { durationMs: 1_000 }), at.task("a")),
        catch: at.task("rescue"),
      }),
    script: { a: { ...fail("boom", "AGENT_CONFIG_INVALID"), after: 10 } },
  });
  expect(over.play()).toEqual({ kind: "finished" });
  expect(cancelled(over)).toEqual(["t"]);
});
