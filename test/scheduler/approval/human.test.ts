import { expect, it } from "vitest";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const setup = {
  plan: (at: Parameters<ScriptedRun["setup"]["plan"]>[0]) =>
    at.task("ask", { kind: "human", needsApproval: false, retries: 2, prompt: "How many?" }),
  script: { ask: [fail("not a number", "INVALID_OUTPUT"), finishAfter(1)] },
};

it("asks the same person again when the answer does not fit", () => {
  const run = new ScriptedRun(setup);
  run.decide("ask", true);
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(run.runSnapshot.approvals["ask::0"]).toMatchObject({ status: "requested", decision: null });
  run.decide("ask", true);
  expect(run.play()).toEqual({ kind: "finished" });
  expect(run.runSnapshot.nodes["ask::0"]).toMatchObject({ lastAttempt: 2, failures: 1 });
});

it("does not try the old answer again after a restart or a new frame", () => {
  const run = new ScriptedRun(setup);
  run.decide("ask", true);
  run.play();
  run.turn({ type: "invalidate", reason: "reload" });
  run.state.recompile = true;
  run.turn({ type: "invalidate", reason: "reload" });
  expect(run.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  const rest = run.restart();
  expect(rest.play()).toEqual({ kind: "waiting", status: "waiting-approval" });
  expect(rest.started).toEqual(["ask::0"]);
});

it("gives up after as many wrong answers as there are retries", () => {
  const run = new ScriptedRun({ ...setup, script: { ask: fail("not a number", "INVALID_OUTPUT") } });
  for (let answer = 0; answer < 3; answer += 1) {
    run.decide("ask", true);
    run.play();
  }
  expect(run.disposition).toMatchObject({
    kind: "failed",
    failure: { key: "ask::0", error: { code: "INVALID_OUTPUT" } },
  });
});
