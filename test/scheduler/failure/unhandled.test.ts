import { expect, it } from "vitest";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const fatal = (message: string) => fail(message, "AGENT_CONFIG_INVALID");

it("stops new starts, lets running tasks finish, then fails with the task's own error", () => {
  const run = new ScriptedRun({
    maxConcurrency: 2,
    plan: (at) =>
      parallel(at.task("bad"), sequence(at.task("slow"), at.task("after-slow")), at.task("queued")),
    script: { bad: { ...fatal("gone"), after: 5 }, slow: finishAfter(30) },
  });
  run.playNext();
  expect(run.disposition).toEqual({ kind: "active" });
  expect(run.play()).toMatchObject({
    kind: "failed",
    failure: { key: "bad::0", error: { code: "AGENT_CONFIG_INVALID", message: "gone" } },
  });
  expect(run.started).toEqual(["bad::0", "slow::0"]);
  expect(run.finished).toEqual(["slow::0"]);
  expect([run.stateOf("queued"), run.stateOf("after-slow")]).toEqual(["pending", "pending"]);
});

it("keeps the first of several failures", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("second"), at.task("first")),
    script: { first: { ...fatal("first"), after: 5 }, second: { ...fatal("second"), after: 9 } },
  });
  expect(run.play()).toMatchObject({ failure: { key: "first::0", error: { message: "first" } } });
  expect(run.stateOf("second")).toBe("failed");
});

it("does not retry a task that fails after the run has failed", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("bad"), at.task("flaky")),
    script: { bad: fatal("gone"), flaky: { ...fail("maybe"), after: 20 } },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { key: "bad::0" } });
  expect(run.started).toEqual(["bad::0", "flaky::0"]);
});

it("fails although something else still waits", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.approval("ok"), at.task("bad")),
    script: { bad: fatal("gone") },
  });
  expect(run.play()).toMatchObject({ kind: "failed", failure: { key: "bad::0" } });
  expect(run.stateOf("ok")).toBe("waiting-approval");
});

it("fails the same when another process takes over while running tasks finish", () => {
  const run = new ScriptedRun({
    plan: (at) => parallel(at.task("bad"), at.task("slow")),
    script: { bad: fatal("gone"), slow: finishAfter(30) },
  });
  run.playNext();
  const rest = run.restart();
  expect(rest.play()).toMatchObject({
    kind: "failed",
    failure: { key: "bad::0", error: { message: "gone" } },
  });
  expect(rest.started).toEqual(["bad::0", "slow::0"]);
});
