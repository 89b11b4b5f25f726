import { expect, it } from "vitest";
import type { Place } from "../../support/scheduler/place.js";
import { sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it.each([
  ["a try block", (at: Place) => at.tryBlock("block", { try: at.task("body"), finally: at.task("last") })],
  ["a saga", (at: Place) => at.saga("block", "compensate", { one: [at.task("last"), at.task("undo")] })],
  ["a loop", (at: Place) => at.loop("block", { until: true }, (inside) => inside.task("last"))],
])("a task that a frame puts before %s that is over runs before the run finishes", (_name, block) => {
  const run = new ScriptedRun({
    plan: (at) => sequence(...(at.has("last", 0) ? [at.task("late")] : []), block(at)),
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.stateOf("late")).toBe("finished");
});
