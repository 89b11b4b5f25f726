import { expect, it } from "vitest";
import type { TaskDescriptor } from "../../../src/model/task.js";
import { sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter, type Outcome } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const atOnce = { retryPolicy: { backoff: "fixed", initialDelayMs: 0 } } as const;

function play(props: Partial<TaskDescriptor>, outcomes: Outcome | Outcome[]) {
  const run = new ScriptedRun({
    plan: (at) => sequence(at.task("a", { ...atOnce, ...props }), at.task("after")),
    script: { a: outcomes },
  });
  const stand = run.play();
  return { run, stand, attempts: run.runSnapshot.nodes["a::0"]?.lastAttempt };
}

/** Different each time, so that they do not count as a storm. */
const failures = (count: number) =>
  Array.from({ length: count }, (_, index) => fail(`no ${"abcdefghijklmnopqrstuvwxyz"[index]}`));

it("tries a failing task for ever by default", () => {
  const { stand, attempts } = play({ retries: Number.POSITIVE_INFINITY }, [...failures(20), finishAfter(1)]);
  expect(stand).toEqual({ kind: "finished" });
  expect(attempts).toBe(21);
});

it("gives up after the retries, with the last error, its task and its attempt", () => {
  const { run, stand, attempts } = play({ retries: 2 }, failures(5));
  expect(stand).toMatchObject({
    kind: "failed",
    failure: {
      key: "a::0",
      error: { message: "no c", details: { nodeId: "a", iteration: 0, attempt: 3 } },
    },
  });
  expect(attempts).toBe(3);
  expect(run.stateOf("after")).toBe("pending");
});

it("does not retry with retries 0", () => {
  expect(play({ retries: 0 }, fail()).attempts).toBe(1);
});

it.each(["AGENT_CONFIG_INVALID", "HEARTBEAT_PAYLOAD_TOO_LARGE", "DEP_NOT_SATISFIED"])(
  "does not retry after %s, which another attempt cannot mend",
  (code) => {
    const { stand, attempts } = play({}, fail("no use", code));
    expect(stand).toMatchObject({ kind: "failed", failure: { error: { code, message: "no use" } } });
    expect(attempts).toBe(1);
  },
);

it("believes an error that says whether it may be retried", () => {
  const never: Outcome = { kind: "fail", error: { message: "x", retryable: false } };
  expect(play({}, never).attempts).toBe(1);
  const again: Outcome = { kind: "fail", error: { code: "AGENT_CONFIG_INVALID", retryable: true } };
  expect(play({}, [again, finishAfter(1)]).stand).toEqual({ kind: "finished" });
});

it.each([
  ["static", 1],
  ["compute", 1],
  ["agent", 2],
  ["subflow", 2],
] as const)("takes a wrong row of a %s task %i time(s)", (kind, attempts) => {
  const run = play({ kind }, [fail("wrong row", "INVALID_OUTPUT"), finishAfter(1)]);
  expect(run.attempts).toBe(attempts);
});

it("stops a task that fails ten times in a row with the same error, numbers aside", () => {
  const same = Array.from({ length: 40 }, (_, index) => fail(`request ${index} refused`));
  const { stand, attempts } = play({}, same);
  expect(stand).toMatchObject({
    kind: "failed",
    failure: { error: { code: "RETRY_STORM", cause: { message: "request 9 refused" } } },
  });
  expect(attempts).toBe(10);
});

it("counts identical failures anew after a different one", () => {
  const nine = Array.from({ length: 9 }, () => fail("same"));
  const { stand, attempts } = play({}, [...nine, fail("other"), ...nine, finishAfter(1)]);
  expect(stand).toEqual({ kind: "finished" });
  expect(attempts).toBe(20);
});

it("takes the limit for identical failures from the policy, and 0 as none", () => {
  const three = play({ retryPolicy: { ...atOnce.retryPolicy, maxIdenticalFailures: 3 } }, fail("same"));
  expect(three.attempts).toBe(3);
  const many = [...Array.from({ length: 50 }, () => fail("same")), finishAfter(1)];
  const none = play({ retryPolicy: { ...atOnce.retryPolicy, maxIdenticalFailures: 0 } }, many);
  expect(none.stand).toEqual({ kind: "finished" });
});

it("counts identical failures across restarts", () => {
  let { run } = play({ retryPolicy: { backoff: "fixed", initialDelayMs: 100 } }, fail("same"));
  run = new ScriptedRun(run.setup);
  for (let failed = 1; failed < 10; failed += 1) {
    while (run.runSnapshot.nodes["a::0"]?.failures !== failed) run.playNext();
    run = run.restart();
  }
  expect(run.play()).toMatchObject({ kind: "failed", failure: { error: { code: "RETRY_STORM" } } });
  expect(run.runSnapshot.nodes["a::0"]).toMatchObject({ failures: 10, identicalFailures: 10 });
});

it("reports the task's own error when retries and patience end together", () => {
  const { stand } = play({ retries: 9 }, fail("same"));
  expect(stand).toMatchObject({ failure: { error: { message: "same" } } });
  expect(stand).not.toMatchObject({ failure: { error: { code: "RETRY_STORM" } } });
});
