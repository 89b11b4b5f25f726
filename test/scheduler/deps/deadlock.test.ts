import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

it("names each task that can never start and the ids that it misses", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("fine"),
        at.task("a", { dependsOn: ["nowhere", "fine", "neither"] }),
        sequence(at.task("b", { needs: { row: "gone" } }), at.task("c")),
      ),
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: {
      key: null,
      error: {
        code: "SCHEDULER_ERROR",
        details: { stuck: { "a::0": ["nowhere", "neither"], "b::0": ["gone"], "c::0": [] } },
      },
    },
  });
  expect(run.finished).toEqual(["fine::0"]);
});

it("names the members of a circle of dependencies", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("a", { dependsOn: ["b"] }),
        at.task("b", { dependsOn: ["c"] }),
        at.task("c", { dependsOn: ["a"] }),
        at.task("self", { dependsOn: ["self"] }),
      ),
  });
  expect(run.play()).toMatchObject({
    failure: {
      error: {
        code: "SCHEDULER_ERROR",
        details: { stuck: { "a::0": ["b"], "b::0": ["c"], "c::0": ["a"], "self::0": ["self"] } },
      },
    },
  });
});

it("is reported only when nothing else can move the run", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("a", { dependsOn: ["nowhere"] }), at.approval("ok")),
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("ok", true);
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { code: "SCHEDULER_ERROR" } } });
});

it("counts a task that left the tree before it started as missing", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("a"),
        ...(at.has("a") ? [] : [sequence(at.task("blocker"), at.task("up"))]),
        at.task("down", { dependsOn: ["up"] }),
      ),
    script: { blocker: { kind: "finish", after: 20 } },
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { error: { details: { stuck: { "down::0": ["up"] } } } },
  });
});

it("says which task was probably meant by an id that none has", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      parallel(
        at.task("build"),
        at.task("ship", { dependsOn: ["biuld"] }),
        // No task waits for itself.
        at.task("test", { dependsOn: ["tests"] }),
      ),
  });
  expect(run.play()).toMatchObject({
    failure: {
      error: {
        message: expect.stringContaining(
          "ship::0 waits for biuld, which no task is (did you mean build?); test::0 waits for tests, which no task is.",
        ),
        details: { meant: { biuld: "build" } },
      },
    },
  });
});
