import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter, hang } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("aborts what runs, cancels the rest, and says who asked and why", () => {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("done"), parallel(at.task("a"), at.task("b")), at.task("later")),
    script: { a: hang, b: hang },
  });
  run.playNext();
  run.send({ kind: "cancel", reason: "too slow", requestedBy: "ann" });
  expect(run.play()).toEqual({ kind: "cancelled", reason: "too slow", requestedBy: "ann" });
  expect(["done", "a", "b", "later"].map((id) => run.stateOf(id))).toEqual([
    "finished",
    "cancelled",
    "cancelled",
    "cancelled",
  ]);
  expect(run.runSnapshot.inbox).toEqual([]);
  expect(run.runSnapshot.openAttempts).toEqual({});
});

it("drops what a task that does not listen comes back with", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("finishes"), at.task("fails"), at.task("skips")),
    script: {
      finishes: { kind: "finish", after: 50, deaf: true },
      fails: { ...fail(), after: 60, deaf: true },
      skips: { kind: "skip", after: 70, deaf: true },
    },
  });
  run.send({ kind: "cancel" });
  expect(run.disposition).toEqual({ kind: "active" });
  expect(run.play()).toEqual({ kind: "cancelled" });
  expect(run.now).toBe(70);
  expect(run.runSnapshot.outputs).toEqual([]);
  for (const id of ["finishes", "fails", "skips"]) expect(run.stateOf(id)).toBe("cancelled");
});

it("cancels a run that only waits, at once", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(at.approval("ok"), at.event("go", { timeoutMs: 900 }), at.timer("t", { durationMs: 500 })),
  });
  run.play();
  run.send({ kind: "cancel" });
  expect(run.disposition).toEqual({ kind: "cancelled" });
  expect(["ok", "go", "t"].map((id) => run.stateOf(id))).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(run.events.filter((event) => event.type === "TimerCancelled")).toHaveLength(1);
  expect(run.playNext()).toBe(false);
});

it("does not start a back-off's next attempt", () => {
  const run = new ScriptedRun({ plan: (at) => at.task("a"), script: { a: fail() } });
  run.playNext();
  run.send({ kind: "cancel" });
  expect(run.disposition).toEqual({ kind: "cancelled" });
  expect(run.started).toEqual(["a::0"]);
});

it("wins over a failure, and over a catch", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: parallel(at.task("a"), at.task("b")),
        catch: at.task("c"),
        finally: at.task("f"),
      }),
    script: { a: { ...fail("no", "AGENT_CONFIG_INVALID"), after: 5 }, b: finishAfter(10) },
  });
  run.playNext();
  run.send({ kind: "cancel" });
  expect(run.play()).toEqual({ kind: "cancelled" });
  expect(run.started).toEqual(["a::0", "b::0"]);
});

it("lets the first of two requests stand", () => {
  const run = new ScriptedRun({ plan: (at) => at.task("a"), script: { a: hang } });
  run.turn(
    { type: "intent", intent: run.post({ kind: "cancel", reason: "first" }) },
    { type: "intent", intent: run.post({ kind: "cancel", reason: "second" }) },
  );
  expect(run.play()).toEqual({ kind: "cancelled", reason: "first" });
  expect(run.runSnapshot.inbox).toEqual([]);
});

it("is carried out by the next process if no process drove the run", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.task("a"), at.task("b")), script: { a: hang } });
  run.post({ kind: "cancel" });
  const rest = run.restart();
  expect(rest.play()).toEqual({ kind: "cancelled" });
  expect(rest.stateOf("b")).toBe("cancelled");
});
