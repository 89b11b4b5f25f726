import { taskKey } from "../../../src/model/address.js";
import { expect, it } from "vitest";
import { parallel, type Place, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = fail("no such flight", "AGENT_CONFIG_INVALID");

const trip = (at: Place) =>
  at.saga("trip", "compensate", {
    hotel: [at.task("hotel"), at.task("cancel-hotel")],
    car: [at.task("car"), at.task("cancel-car")],
    flight: [at.task("flight"), at.task("cancel-flight")],
    visa: [at.task("visa"), at.task("cancel-visa")],
  });

it("undoes the finished actions in reverse and nothing else", () => {
  const run = new ScriptedRun({ plan: trip, script: { flight: fatal } });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(
    ["hotel", "car", "flight", "cancel-car", "cancel-hotel"].map((id) => `${id}::0`),
  );
  expect(run.stateOf("visa")).toBe("skipped");
  expect(run.stateOf("cancel-flight")).toBe("skipped");
  expect(run.stateOf("cancel-visa")).toBe("skipped");
});

it("skips every compensation if nothing fails", () => {
  const run = new ScriptedRun({ plan: trip });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["hotel", "car", "flight", "visa"].map((id) => `${id}::0`));
  expect(run.stateOf("cancel-hotel")).toBe("skipped");
});

it("waits for the rest of a half-done action before it undoes the earlier ones", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a")],
        two: [parallel(at.task("b"), at.task("c")), at.task("undo-bc")],
      }),
    script: { b: fatal, c: finishAfter(30) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "c::0", "undo-a::0"]);
});

it("does not undo an action that had nothing to do", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a", { skipIf: true }), at.task("undo-a")],
        two: [sequence(), at.task("undo-nothing")],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["c::0"]);
});

it("does not iterate a loop inside the compensation of an action that never ran", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.loop("l1", { maxIterations: 2 }, (inside) => inside.task("undo-a"))],
        two: [at.task("b"), at.loop("l2", { maxIterations: 3 }, (inside) => inside.task("undo-b"))],
      }),
    script: { b: fatal },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["a::0", "b::0", "undo-a::0", "undo-a::1"]);
});

it("undoes the same actions when another process takes over at any moment of it", () => {
  const setup = { plan: trip, script: { flight: fatal } };
  const whole = new ScriptedRun(setup);
  whole.play();
  for (const runSnapshot of whole.images) {
    const rest = whole.restart(runSnapshot);
    expect(rest.play()).toEqual({ kind: "finished" });
    expect(new Set(rest.finished)).toEqual(new Set(whole.finished));
    expect(rest.finished.indexOf(taskKey({ nodeId: "cancel-car", iteration: 0 }))).toBeLessThan(
      rest.finished.indexOf(taskKey({ nodeId: "cancel-hotel", iteration: 0 })),
    );
  }
});
