import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("names the first of approval, event, timer and quota when several are waited for", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("agent", { kind: "agent" }),
        at.timer("timer", { durationMs: 10_000 }),
        at.event("go"),
        at.approval("ok"),
      ),
    script: { agent: [{ kind: "quota", resetAtMs: 50_000 }, finishAfter(1)] },
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-event" });
  run.signal("go");
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-timer" });
  run.advance(20_000);
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-quota" });
  expect(run.playOut()).toEqual({ kind: "finished" });
});

it("is active, not waiting, while a back-off runs beside a wait", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.approval("ok"), at.task("flaky")),
    script: { flaky: [fail("once"), finishAfter(1)] },
  });
  run.playNext();
  expect(run.disposition).toEqual({ kind: "active" });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.stateOf("flaky")).toBe("finished");
});

it("continues each branch on its own, in any order and across a restart", () => {
  const setup = {
    plan: (at: Parameters<ScriptedRun["setup"]["plan"]>[0]) =>
      parallel(
        sequence(at.approval("a"), at.task("after-a")),
        sequence(at.approval("b"), at.task("after-b")),
        sequence(at.event("e"), at.task("after-e")),
        sequence(at.timer("t", { durationMs: 50 }), at.task("after-t")),
      ),
  };
  const answers = [
    (run: ScriptedRun) => run.decide("a", true),
    (run: ScriptedRun) => run.decide("b", true),
    (run: ScriptedRun) => run.signal("e"),
    (run: ScriptedRun) => run.advance(60),
  ];
  const branches = ["after-a", "after-b", "after-e", "after-t"];
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
    [1, 3, 0, 2],
  ]) {
    let run = new ScriptedRun(setup);
    const done = new Set<string>();
    for (const index of order) {
      answers[index]?.(run);
      run.play();
      done.add(branches[index] ?? "");
      if (index === 3) expect(run.finished).toContain("after-t::0");
      const finished = branches.filter((id) => run.stateOf(id) === "finished");
      expect(new Set(finished)).toEqual(done);
      run = run.restart();
      run.play();
    }
    expect(run.play()).toEqual({ kind: "finished" });
  }
});

it("parks a task out of quota without counting an attempt, until the reset", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("agent", { kind: "agent", retries: 0 }),
    script: {
      agent: [{ kind: "quota", resetAtMs: 7_000 }, { kind: "quota", resetAtMs: 9_000 }, finishAfter(1)],
    },
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-quota" });
  expect(run.runSnapshot.nodes["agent::0"]).toMatchObject({ failures: 0, dueAtMs: 7_000 });
  const later = run.restart(run.runSnapshot, { now: 3_000 });
  expect(later.play()).toEqual({ kind: "waiting", status: "waiting-quota" });
  expect(later.playOut()).toEqual({ kind: "finished" });
  expect(later.now).toBe(9_001);
});

it("tries to write the row of an ended wait again after its back-off", () => {
  const run = new ScriptedRun({
    plan: (at) => at.approval("ok", { retries: 1, retryPolicy: { initialDelayMs: 400 } }),
    script: { ok: [fail("disk full"), finishAfter(1)] },
  });
  run.decide("ok", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.now).toBe(1 + 400 + 1);
});
