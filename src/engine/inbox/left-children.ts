import { childRunId, parentAsRequester } from "../../model/child-run.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import type { SchedulerState } from "../../scheduler/state.js";
import { newestOfChain } from "../../store/newest-of-chain.js";
import type { Store } from "../../store/contract.js";
import type { CommitBuilder } from "../turn/commit.js";

/** What both a driven run and one that is cancelled where it lies have. */
export interface LeavingRun {
  readonly runId: string;
  readonly state: SchedulerState;
}

/**
 * Child runs that waited for nodes which this commit gives up, in the parent's
 * database. Each gets a cancel request with the same commit, so that it ends
 * even when this process does not get to end it. A node that has only left the
 * tree may come back: its child waits on until the run ends.
 */
export async function leaveChildren(
  store: Store,
  { runId, state }: LeavingRun,
  commit: CommitBuilder,
): Promise<RunRow[]> {
  const left: RunRow[] = [];
  const { status } = commit.run;
  const isEnd = status === "finished" || status === "cancelled";
  for (const key of isEnd ? state.nodes.keys() : commit.changedNodes) {
    const node = state.nodes.get(key);
    const isGivenUp = node?.row.state === "cancelled" || node?.row.state === "skipped";
    if (!isGivenUp || node.row.lastAttempt === 0 || (node.task === null && !isEnd)) continue;
    const { nodeId, iteration } = node.row;
    const child = await newestOfChain(store, childRunId({ runId, nodeId, iteration }));
    if (child === undefined || isTerminal(child.status)) continue;
    left.push(child);
    commit.requests.push({
      runId: child.runId,
      intent: {
        kind: "cancel",
        reason: `its parent ${runId} gave up ${nodeId}`,
        requestedBy: parentAsRequester(runId),
      },
      createdAtMs: commit.now,
    });
  }
  return left;
}
