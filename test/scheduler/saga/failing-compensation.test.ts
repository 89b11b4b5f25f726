import { expect, it } from "vitest";
import { sequence } from "../../support/scheduler/place.js";
import { fail } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = (message: string) => fail(message, "AGENT_CONFIG_INVALID");

it("runs the other compensations, then fails with the one that failed, caused by the action", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a")],
        two: [at.task("b"), at.task("undo-b")],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal("c broke"), "undo-b": fatal("undo-b broke") },
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { error: { message: "undo-b broke", cause: { message: "c broke" } } },
  });
  expect(run.finished).toEqual(["a::0", "b::0", "undo-a::0"]);
});

it("keeps the first of several failing compensations", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a")],
        two: [at.task("b"), at.task("undo-b")],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal("c broke"), "undo-b": fatal("undo-b broke"), "undo-a": fatal("undo-a broke") },
  });
  const stand = run.play();
  expect(stand).toMatchObject({ kind: "failed", failure: { error: { message: "undo-b broke" } } });
  expect(stand).not.toMatchObject({ failure: { error: { cause: { cause: expect.anything() } } } });
});

it("gives up the rest of a compensation that failed", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a")],
        two: [at.task("b"), sequence(at.task("undo-b1"), at.task("undo-b2"))],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal("c broke"), "undo-b1": fatal("undo-b1 broke") },
  });
  expect(run.play().kind).toBe("failed");
  expect(run.stateOf("undo-b2")).toBe("skipped");
  expect(run.finished).toEqual(["a::0", "b::0", "undo-a::0"]);
});

it("continues when a loop inside a compensation reaches its limit", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a")],
        two: [
          at.task("b"),
          at.loop("l", { maxIterations: 2, onMaxReached: "fail" }, (inside) => inside.task("undo-b")),
        ],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal("c broke") },
  });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { error: { code: "RALPH_MAX_REACHED", cause: { message: "c broke" } } },
  });
  expect(run.finished).toEqual(["a::0", "b::0", "undo-b::0", "undo-b::1", "undo-a::0"]);
});

it("reports the same error however often the plan is compiled again or a process takes over", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), sequence(at.task("undo-a"), ...(at.has("undo-a") ? [at.task("undo-a2")] : []))],
        two: [at.task("b"), at.task("undo-b")],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal("c broke"), "undo-b": fatal("undo-b broke") },
  });
  const expected = {
    kind: "failed",
    failure: { key: "c::0", error: { message: "undo-b broke", cause: { message: "c broke" } } },
  };
  expect(run.play()).toMatchObject(expected);
  expect(run.finished).toEqual(["a::0", "b::0", "undo-a::0", "undo-a2::0"]);
  for (const runSnapshot of run.images) {
    const stand = run.restart(runSnapshot).play();
    expect(stand).toMatchObject(expected);
    expect(stand).not.toMatchObject({ failure: { error: { cause: { cause: expect.anything() } } } });
  }
});

it("continues after a block inside a compensation whose finally part fails", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.task("undo-a")],
        two: [at.task("b"), at.tryBlock("t", { try: at.task("undo-b"), finally: at.task("clean-up") })],
        three: [at.task("c"), at.task("undo-c")],
      }),
    script: { c: fatal("c broke"), "clean-up": fatal("clean-up broke") },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { message: "clean-up broke" } } });
  expect(run.finished).toEqual(["a::0", "b::0", "undo-b::0", "undo-a::0"]);
});

it("continues after an asynchronous wait inside a compensation that fails", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.saga("s", "compensate", {
        one: [at.task("a"), at.approval("undo-a", { waitAsync: true })],
        two: [at.task("b"), at.task("undo-b")],
      }),
    script: { b: fatal("b broke") },
  });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  run.decide("undo-a", false);
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { code: "APPROVAL_DENIED" } } });
});
