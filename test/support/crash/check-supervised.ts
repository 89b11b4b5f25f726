import { expect } from "vitest";
import { checkHistory } from "./check-history.js";
import { attemptKey, type Evidence } from "./evidence.js";
import { outcomeOf } from "./run-history.js";
import { BLOCKED_MS, BLOCKING, CRASHING, POISON, type SupervisedName } from "./supervised-workflows.js";

export type Outcome = ReturnType<typeof outcomeOf>;

/** Timers and subflows have no function of their own that could leave a trail. */
export const leavesTrail = (nodeId: string) => !["begin", "nap", "own"].includes(nodeId);

/**
 * What must hold of a run of supervised-workflows that has ended.
 *
 * @param evidence of the run and of those that came from it
 * @param usual the results of undisturbed runs
 */
export function checkSupervised(
  workflow: SupervisedName,
  evidence: Evidence[],
  usual: ReadonlyMap<SupervisedName, Outcome[]>,
): void {
  for (const each of evidence) checkExecutions(each);
  const [{ run, attempts, outputs }] = evidence as [Evidence];
  if (usual.has(workflow)) {
    for (const each of evidence) checkHistory(each);
    expect(evidence.map(outcomeOf)).toEqual(usual.get(workflow));
  } else if (workflow === BLOCKING) {
    for (const each of evidence) checkHistory(each);
    expect([run.status, Object.values(outputs)]).toMatchObject(["finished", [{ total: BLOCKED_MS }]]);
  } else if (workflow === CRASHING) {
    expect([run.status, run.error]).toMatchObject(["failed", { code: "TASK_INTERRUPTED_TOO_OFTEN" }]);
    const crashed = attempts.filter(({ nodeId }) => nodeId === "crash");
    // Those beside other runs do not count.
    expect(crashed.length).toBeGreaterThanOrEqual(2);
    expect(new Set(crashed.map(({ state }) => state))).toEqual(new Set(["interrupted"]));
  } else {
    expect(run.status).toBe("failed");
    const { message, code } = run.error ?? { message: "", code: "" };
    expect([code, message].join(": ")).toContain(POISON[workflow as keyof typeof POISON]);
    expect(attempts.filter(({ state }) => state === "failed")).toHaveLength(1);
  }
}

/** An attempt's function runs at most once, and for sure when the attempt was not interrupted. */
function checkExecutions({ attempts, trail }: Evidence): void {
  const ran = trail.map(attemptKey);
  expect(new Set(ran).size, "an attempt's function runs at most once").toBe(ran.length);
  expect(attempts.map(attemptKey), "only attempts run").toEqual(expect.arrayContaining(ran));
  const idle = attempts.filter(
    (attempt) => leavesTrail(attempt.nodeId) && !ran.includes(attemptKey(attempt)),
  );
  expect(
    idle.filter(({ state }) => state !== "interrupted"),
    "an attempt that ended by itself has run",
  ).toEqual([]);
}
