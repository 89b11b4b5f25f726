import { expect, it } from "vitest";
import type { RetryPolicy } from "../../../src/model/task.js";
import { backoffMs } from "../../../src/scheduler/retry.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

const table: [string, RetryPolicy | undefined, number[]][] = [
  ["no policy: exponential from a second", undefined, [1_000, 2_000, 4_000, 8_000]],
  ["an empty policy: at once", {}, [0, 0, 0]],
  ["fixed with 0: at once", { backoff: "fixed", initialDelayMs: 0 }, [0, 0, 0]],
  ["fixed", { backoff: "fixed", initialDelayMs: 70 }, [70, 70, 70]],
  ["a delay without a kind: fixed", { initialDelayMs: 70 }, [70, 70, 70]],
  ["linear", { backoff: "linear", initialDelayMs: 70 }, [70, 140, 210]],
  ["exponential", { backoff: "exponential", initialDelayMs: 70 }, [70, 140, 280]],
];

it.each(table)("waits as the policy says: %s", (_, policy, delays) => {
  expect(delays.map((_delay, index) => backoffMs(policy, index + 1))).toEqual(delays);
});

it.each([undefined, { backoff: "fixed" }, { backoff: "linear" }, { backoff: "exponential" }] as const)(
  "never waits longer than five minutes (%o)",
  (policy) => {
    const longest = policy === undefined ? undefined : { ...policy, initialDelayMs: 400_000 };
    for (const failures of [1, 9, 10, 50, 5_000]) {
      expect(backoffMs(longest, failures)).toBeLessThanOrEqual(300_000);
    }
    expect(backoffMs(longest, 60)).toBe(300_000);
  },
);

const startTimes = (run: ScriptedRun) =>
  run.exchanges.flatMap(({ now, commands }) => (commands.some(({ type }) => type === "start") ? [now] : []));

it("starts the next attempt when the delay after the failure is over", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a"),
    script: { a: [fail("one"), fail("two"), fail("three"), finishAfter(1)] },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(startTimes(run)).toEqual([0, 1 + 1_000, 1_002 + 2_000, 3_003 + 4_000]);
});

it("tries again in the same turn when the delay is 0", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { retryPolicy: { backoff: "fixed", initialDelayMs: 0 } }),
    script: { a: [fail("one"), fail("two"), finishAfter(1)] },
  });
  expect(run.play()).toEqual({ kind: "finished" });
  expect(startTimes(run)).toEqual([0, 1, 2]);
});

it("keeps the back-off of a process that is gone", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a"),
    script: { a: [fail("one"), finishAfter(1)] },
  });
  run.playNext();
  expect(run.runSnapshot.nodes["a::0"]).toMatchObject({ state: "pending", failures: 1, dueAtMs: 1_001 });

  const early = run.restart(run.runSnapshot, { now: 300 });
  expect(early.play()).toEqual({ kind: "finished" });
  expect(startTimes(early)).toEqual([1_001]);
  const late = run.restart(run.runSnapshot, { now: 50_000 });
  expect(late.play()).toEqual({ kind: "finished" });
  expect(startTimes(late)).toEqual([50_000]);
});
