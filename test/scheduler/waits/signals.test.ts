import { expect, it, onTestFinished, vi } from "vitest";
import type { TaskKey } from "../../../src/model/address.js";
import { capped, parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const consumed = (run: ScriptedRun) =>
  run.events.flatMap((event) => (event.type === "SignalConsumed" ? [[event.nodeId, event.signalSeq]] : []));

it("ends the wait for exactly this name and correlation id", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.event("plain", { name: "paid" }),
        at.event("order-1", { name: "paid", correlationId: "1" }),
        at.event("other", { name: "shipped" }),
      ),
  });
  run.signal("paid", null, "2");
  run.signal("pai");
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-event" });
  run.signal("paid", { sum: 3 }, "1");
  run.play();
  expect(run.finished).toEqual(["order-1::0"]);
  run.signal("paid");
  run.play();
  expect(run.finished).toEqual(["order-1::0", "plain::0"]);
  expect(run.runSnapshot.inbox.map((intent) => intent.id)).toEqual([1, 2]);
});

it("keeps early signals and hands them out in order, each to one waiter", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(at.task("work"), at.event("first", { name: "go" }), at.event("second", { name: "go" })),
    script: { work: finishAfter(100) },
  });
  run.signal("go", "a");
  run.signal("go", "b");
  run.signal("go", "c");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(consumed(run)).toEqual([
    ["first", 1],
    ["second", 2],
  ]);
  expect(run.runSnapshot.inbox).toHaveLength(1);
});

it("gives a signal to the first of several waiters in document order", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.event("a", { name: "go" }), at.event("b", { name: "go" })),
  });
  run.signal("go");
  run.play();
  expect(run.finished).toEqual(["a::0"]);
  expect(run.disposition).toEqual({ kind: "waiting", status: "waiting-event" });
});

it("consumes a signal that came while no process drove the run, once", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.event("a", { name: "go" }), at.event("b", { name: "go" })),
  });
  run.play();
  run.post({ kind: "signal", name: "go", data: 1 });
  const later = run.restart();
  expect(later.play()).toEqual({ kind: "waiting", status: "waiting-event" });
  expect(later.finished).toEqual(["a::0"]);
  expect(later.runSnapshot.inbox).toEqual([]);
});

it("loses no signal whose waiter's process dies before it has finished", () => {
  const run = new ScriptedRun({ plan: (at) => at.event("a", { name: "go" }) });
  run.signal("go", "x");
  for (const runSnapshot of [run.runSnapshot, run.restart(run.runSnapshot).runSnapshot]) {
    const later = run.restart(runSnapshot);
    expect(later.play()).toEqual({ kind: "finished" });
    expect(consumed(later)).toEqual([["a", 1]]);
  }
});

it("gives a signal to the next waiter if the first is skipped before it could run", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        capped(
          1,
          at.task("busy"),
          at.tryBlock("t", {
            try: parallel(at.task("a"), at.event("first", { name: "go" })),
            catch: sequence(),
          }),
        ),
        sequence(at.task("later"), at.event("second", { name: "go" })),
      ),
    script: {
      busy: finishAfter(10),
      a: fail("no", "AGENT_CONFIG_INVALID"),
      later: finishAfter(50),
    },
  });
  run.signal("go", "x");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("first")).toBe("skipped");
  expect(consumed(run)).toEqual([["second", 1]]);
});

it("gives a signal back when its waiter leaves the tree before it could run", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        ...(at.has("busy") ? [] : [capped(1, at.task("busy"), at.event("first", { name: "go" }))]),
        at.event("second", { name: "go" }),
      ),
    script: { busy: finishAfter(10) },
  });
  run.signal("go", "x");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("first")).toBe("cancelled");
  expect(consumed(run)).toEqual([["second", 1]]);
});

it("consumes a signal that its waiter could not turn into a row", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(at.event("a", { name: "go" }, { continueOnFail: true }), at.event("b", { name: "go" })),
    script: { a: fail("not a row", "INVALID_OUTPUT") },
  });
  run.signal("go", "bad");
  run.signal("go", "good");
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("a")).toBe("failed");
  expect(consumed(run)).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
});

it("waits for another signal where a newer frame names another one, and its row says so", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.event("change"),
        at.event("paid", { name: "paid", ...(at.has("change") && { correlationId: "order-1" }) }),
      ),
  });
  run.signal("change");
  run.play();
  expect(run.runSnapshot.nodes["paid::0" as TaskKey]?.wait).toEqual({
    kind: "event",
    event: "paid",
    correlationId: "order-1",
  });
  run.signal("paid", null, "order-1");
  expect(run.play()).toEqual({ kind: "finished" });
});

it("waits for a signal of another name where a newer frame says so", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(at.event("change"), at.event("paid", { name: at.has("change") ? "settled" : "paid" })),
  });
  run.signal("change");
  run.play();
  run.signal("paid");
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-event" });
  run.signal("settled");
  expect(run.play()).toEqual({ kind: "finished" });
});

it("makes no texts of waits to see that a newer frame has them as before", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(at.event("change"), at.event("paid"), ...(at.has("change") ? [at.event("more")] : [])),
  });
  run.play();
  const written = vi.spyOn(JSON, "stringify");
  onTestFinished(() => written.mockRestore());
  run.signal("change");
  run.play();
  const waits = written.mock.calls.filter(([value]) => (value as { event?: unknown })?.event === "paid");
  expect(waits).toEqual([]);
});
