import { expect, it } from "vitest";
import { parallel, type Place, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = (message = "boom") => fail(message, "AGENT_CONFIG_INVALID");

const block = (at: Place) =>
  sequence(
    at.tryBlock("t", {
      try: sequence(at.task("a"), at.task("b")),
      catch: at.task("rescue"),
      finally: at.task("clean-up"),
    }),
    at.task("after"),
  );

it("skips the catch and runs the finally part when nothing fails", () => {
  const run = new ScriptedRun({ plan: block });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["a::0", "b::0", "clean-up::0", "after::0"]);
  expect(run.stateOf("rescue")).toBe("skipped");
});

it("runs the catch instead of the rest, then the finally part, then what follows", () => {
  const run = new ScriptedRun({ plan: block, script: { a: fatal() } });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["rescue::0", "clean-up::0", "after::0"]);
  expect(run.stateOf("b")).toBe("skipped");
  expect(run.runSnapshot.controls["t"]).toMatchObject({ phase: "done", handled: true, failedKey: "a::0" });
});

it("calls a function catch with the error, in the render after the failure", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: at.task("a"),
        catch: (error) => at.task(`handle-${error.code}-of-${String(error.details?.["nodeId"])}`),
      }),
    script: { a: fatal() },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["handle-AGENT_CONFIG_INVALID-of-a::0"]);
});

it("continues after a function catch that renders nothing", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      sequence(
        at.tryBlock("t", {
          try: at.task("a"),
          catch: () => undefined,
          finally: at.task("clean-up"),
        }),
        at.task("after"),
      ),
    script: { a: fatal() },
  });
  const stand = run.play();
  expect(stand).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["clean-up::0", "after::0"]);
  for (const runSnapshot of run.images) expect(run.restart(runSnapshot).play()).toEqual(stand);
});

it("catches only the listed codes", () => {
  const plan = (at: Place) =>
    at.tryBlock("t", {
      try: at.task("a"),
      catch: at.task("rescue"),
      catchErrors: ["TOOL_PATH_ESCAPE", "AGENT_CONFIG_INVALID"],
      finally: at.task("clean-up"),
    });
  const listed = new ScriptedRun({ plan, script: { a: fatal() } });
  expect(listed.play()).toEqual({ kind: "finished" });
  expect(listed.finished).toEqual(["rescue::0", "clean-up::0"]);

  const other = new ScriptedRun({ plan, script: { a: fail("too big", "HEARTBEAT_PAYLOAD_TOO_LARGE") } });
  expect(other.play()).toMatchObject({
    kind: "failed",
    failure: { key: "a::0", error: { message: "too big" } },
  });
  expect(other.finished).toEqual(["clean-up::0"]);
  expect(other.stateOf("rescue")).toBe("skipped");
});

it("lets other tasks of the block that run finish before the catch starts", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", {
        try: parallel(at.task("a"), at.task("slow"), sequence(at.task("quick"), at.task("never"))),
        catch: at.task("rescue"),
      }),
    script: { a: { ...fatal(), after: 5 }, slow: finishAfter(30), quick: finishAfter(20) },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.finished).toEqual(["quick::0", "slow::0", "rescue::0"]);
  expect(run.stateOf("never")).toBe("skipped");
});

it("does not try a task of the failed block again", () => {
  const run = new ScriptedRun({
    plan: (at) =>
      at.tryBlock("t", { try: parallel(at.task("a"), at.task("flaky")), catch: at.task("rescue") }),
    script: { a: { ...fatal(), after: 5 }, flaky: { kind: "fail", after: 20 } },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.started).toEqual(["a::0", "flaky::0", "rescue::0"]);
  expect(run.stateOf("flaky")).toBe("failed");
});

it("fails the run with the block's own error if there is no catch", () => {
  const run = new ScriptedRun({
    plan: (at) => at.tryBlock("t", { try: at.task("a"), finally: at.task("clean-up") }),
    script: { a: fatal("gone") },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { key: "a::0", error: { message: "gone" } } });
  expect(run.finished).toEqual(["clean-up::0"]);
});
