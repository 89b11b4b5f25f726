import { ServiceError } from "../../errors/service-error.js";
import type { ContinuationEnvelope } from "../../model/run-config.js";
import type { SchedulerView } from "../../scheduler/view.js";

/** So many runs that do nothing, one right after the other, will not be followed by one that does. */
const MOST_RUNS = 100;

/** Runs that take longer wait for something: time passes between them, and the chain may continue for ever. */
const LONGEST_RUN_MS = 50;

type IdleRuns = NonNullable<ContinuationEnvelope["idle"]>;

/**
 * The runs at the end of a chain in which no task has begun, the ending one included.
 * @throws SCHEDULER_ERROR when there are too many: the chain would continue for ever
 */
export function idleRuns(
  ending: { runId: string; state: Pick<SchedulerView, "nodes">; isBounded: boolean },
  before: IdleRuns | undefined,
  nowMs: number,
): IdleRuns | undefined {
  if (hasWorked(ending.state)) return undefined;
  if (ending.isBounded) return before;
  const idle = { runs: (before?.runs ?? 0) + 1, sinceMs: before?.sinceMs ?? nowMs };
  if (idle.runs < MOST_RUNS) return idle;
  if (nowMs - idle.sinceMs >= MOST_RUNS * LONGEST_RUN_MS) return undefined;
  throw new ServiceError(
    "SCHEDULER_ERROR",
    `Run ${ending.runId} continues as a new run, as ${MOST_RUNS - 1} before it did, and no task has begun in any of them: the chain would continue for ever. Mount something that runs or waits before the <ContinueAsNew>, or in the loop with continueAsNewEvery.`,
    { details: { runId: ending.runId, runs: MOST_RUNS } },
  );
}

/** What has come along has been done in an earlier run. */
function hasWorked({ nodes }: Pick<SchedulerView, "nodes">): boolean {
  for (const { row } of nodes.values()) {
    if (row.lastAttempt > 0 && (row.finishedSeq ?? 0) >= 0) return true;
  }
  return false;
}
