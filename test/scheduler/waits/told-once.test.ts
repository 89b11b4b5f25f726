import { expect, it } from "vitest";
import type { EventBody } from "../../../src/model/events.js";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const told = (run: ScriptedRun, type: EventBody["type"]) =>
  run.events.filter((event) => event.type === type).length;

/** Events of a wait whose process dies after each of its commits in turn, in the run that continues from there. */
function deaths(undisturbed: ScriptedRun, types: readonly EventBody["type"][]) {
  return undisturbed.images.map((runSnapshot, at) => {
    const run = undisturbed.restart(runSnapshot, { now: (undisturbed.imageTimes[at] as number) + 1 });
    run.playOut();
    return types.map((type) => told(run, type));
  });
}

it("tells that a timer was made and has fired once, whenever its process dies", () => {
  const run = new ScriptedRun({ plan: (at) => sequence(at.timer("t", { durationMs: 100 }), at.task("a")) });
  run.playOut();
  const kinds = ["TimerCreated", "TimerFired"] as const;
  expect(new Set(deaths(run, kinds).map(String))).toEqual(new Set(["1,1"]));
});

it("tells so once where the timer has fired and waits for room to end", () => {
  const run = new ScriptedRun({
    maxConcurrency: 1,
    script: { long: { kind: "finish", after: 500 } },
    plan: (at) => parallel(at.task("long"), at.timer("t", { durationMs: 100 })),
  });
  run.playOut();
  expect(told(run, "TimerFired")).toBe(1);
  expect(new Set(deaths(run, ["TimerFired", "TimerCancelled"]).map(String))).toEqual(new Set(["1,0"]));
});

it("tells once that no signal came in time, and takes none afterwards", () => {
  const run = new ScriptedRun({
    maxConcurrency: 1,
    script: { long: { kind: "finish", after: 500 } },
    plan: (at) => parallel(at.task("long"), at.event("go", { timeoutMs: 100, onTimeout: "continue" })),
  });
  run.playOut();
  expect(new Set(deaths(run, ["EventWaitTimedOut", "NodeWaitingEvent"]).map(String))).toEqual(
    new Set(["1,1"]),
  );
});
