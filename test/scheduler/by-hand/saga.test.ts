import { expect, it } from "vitest";
import type { Place } from "../../support/scheduler/place.js";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

type Step = ReturnType<Place["task"]>;

/** A saga whose last action fails, so that those before it are undone. */
const trip = (steps: (at: Place) => Record<string, [action: Step, compensation: Step]>) =>
  new ScriptedRun({
    plan: (at) =>
      at.saga("trip", "compensate", { ...steps(at), flight: [at.task("flight"), at.task("cancel-flight")] }),
    script: { flight: fail("no such flight", "AGENT_CONFIG_INVALID") },
  });

it("an action that was done by hand is undone like any other", () => {
  const run = trip((at) => ({ hotel: [at.event("hotel"), at.task("cancel-hotel")] }));
  run.send({ kind: "complete", nodeId: "hotel", iteration: 0, output: {} });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["flight::0", "cancel-hotel::0"]);
});

it("an action that was left out has nothing to undo", () => {
  const run = trip((at) => ({ hotel: [at.event("hotel"), at.task("cancel-hotel")] }));
  run.send({ kind: "skip", nodeId: "hotel", iteration: 0 });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["flight::0"]);
  expect(run.stateOf("cancel-hotel")).toBe("skipped");
});

it("a compensation that was left out lets the others run", () => {
  const run = trip((at) => ({
    hotel: [at.task("hotel"), at.task("cancel-hotel")],
    car: [at.task("car"), at.event("cancel-car")],
  }));
  expect(run.play()).toMatchObject({ kind: "waiting" });
  run.send({ kind: "skip", nodeId: "cancel-car", iteration: 0 });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toContain("cancel-hotel::0");
});
