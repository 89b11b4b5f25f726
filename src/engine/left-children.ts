import { childRunId } from "../model/child-run.js";
import { isTerminal, type RunRow } from "../model/run.js";
import type { SchedulerState } from "../scheduler/state.js";
import { newestOfChain } from "../store/newest-of-chain.js";
import type { Store } from "../store/contract.js";
import type { CommitBuilder } from "./commit.js";

/** What both a driven run and one that is cancelled where it lies have. */
export interface LeavingRun {
  readonly runId: string;
  readonly state: SchedulerState;
}

/**
 * Child runs that waited for nodes which this commit gives up, in the parent's
 * database. Each gets a cancel request with the same commit, so that it ends
 * even when this process does not get to end it.
 */
export async function leaveChildren(
  store: Store,
  { runId, state }: LeavingRun,
  commit: CommitBuilder,
): Promise<RunRow[]> {
  const left: RunRow[] = [];
  for (const key of commit.changedNodes) {
    const row = state.nodes.get(key)?.row;
    const isGivenUp = row?.state === "cancelled" || row?.state === "skipped";
    if (!isGivenUp || row.lastAttempt === 0) continue;
    const { nodeId, iteration } = row;
    const child = await newestOfChain(store, childRunId({ runId, nodeId, iteration }));
    if (child === undefined || isTerminal(child.status)) continue;
    left.push(child);
    commit.requests.push({
      runId: child.runId,
      kind: "cancel",
      payload: { reason: `its parent ${runId} gave up ${nodeId}` },
      createdAtMs: commit.now,
    });
  }
  return left;
}
