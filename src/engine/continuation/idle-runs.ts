import { ServiceError } from "../../errors/service-error.js";
import { taskKey } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { ContinuationEnvelope } from "../../model/run-config.js";
import { hasWaited, type SchedulerView } from "../../scheduler/index.js";
import type { Progress } from "./progress.js";

/** So many runs in a row that neither do anything nor wait will not be followed by one that does. */
const MOST_RUNS = 100;

type IdleRuns = NonNullable<ContinuationEnvelope["idle"]>;
type Asked = Pick<SchedulerView, "approvals">;

/**
 * The runs at the end of a chain in which no task has begun or waited, the ending one included.
 * @throws SCHEDULER_ERROR when there are too many: the chain would never end
 */
export function idleRuns(
  ending: {
    runId: string;
    state: Pick<SchedulerView, "nodes" | "approvals">;
    progress: Progress;
    isBounded: boolean;
  },
  before: IdleRuns = { runs: 0 },
): IdleRuns | undefined {
  const { runId, state, progress, isBounded } = ending;
  const rows = [...state.nodes.values()].map(({ row }) => row);
  const hasWorked = workOf(rows, state) > (before.carried ?? 0);
  const runs = hasWorked ? 0 : before.runs + (isBounded ? 0 : 1);
  if (runs >= MOST_RUNS) throw endless(runId);
  const approvals = new Map(progress.approvals.map((row) => [taskKey(row), row]));
  const carried = workOf(progress.nodes, { approvals });
  return runs === 0 && carried === 0 ? undefined : { runs, carried };
}

/** Counts attempts, and waits and failures without one: it grows with whatever a run does, and only with that. */
function workOf(rows: readonly NodeRow[], asked: Asked): number {
  let work = 0;
  for (const row of rows) {
    const hasEndedOtherwise = row.state === "failed" || hasWaited(asked, row);
    work += row.lastAttempt + (hasEndedOtherwise ? 1 : 0);
  }
  return work;
}

function endless(runId: string): ServiceError {
  return new ServiceError(
    "SCHEDULER_ERROR",
    `Run ${runId} continues as a new run, as ${MOST_RUNS - 1} before it did, and no task has begun or waited in any of them: the chain would never end. Mount something that runs or waits before the <ContinueAsNew>, or in the loop with continueAsNewEvery.`,
    { details: { runId, runs: MOST_RUNS } },
  );
}
