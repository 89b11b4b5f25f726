import { globalTaskId, parentAsRequester } from "../../model/address.js";
import { isTerminalNode } from "../../model/node.js";
import { isTerminal, type RunRow, type RunStatus } from "../../model/run.js";
import type { ScheduledNode, SchedulerView } from "../../scheduler/view.js";
import { newestOfChain } from "../../store/newest-of-chain.js";
import type { Store } from "../../store/contract.js";
import type { CommitBuilder } from "../turn/commit.js";

/** What both a driven run and one that is cancelled where it lies have. */
export interface LeavingRun {
  readonly runId: string;
  readonly state: SchedulerView;
}

/** Whether this commit gives up nodes, whose child runs `leaveChildren` then looks for. */
export function givesUpNodes({ state }: LeavingRun, commit: CommitBuilder): boolean {
  if (isEnd(commit)) return true;
  for (const key of commit.changedNodes) if (isGivenUp(state.nodes.get(key))) return true;
  return false;
}

function isEnd({ run: { status } }: CommitBuilder): boolean {
  return status === "finished" || status === "cancelled" || status === "continued";
}

/** Of a run that continues as another one: what has not ended begins anew there. */
function isGivenUp(node: ScheduledNode | undefined, runStatus?: RunStatus): node is ScheduledNode {
  if (node === undefined) return false;
  const { state } = node.row;
  return (
    state === "cancelled" || state === "skipped" || (runStatus === "continued" && !isTerminalNode(state))
  );
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
  const isOver = isEnd(commit);
  for (const key of isOver ? state.nodes.keys() : commit.changedNodes) {
    const node = state.nodes.get(key);
    if (!isGivenUp(node, commit.run.status) || node.row.lastAttempt === 0 || (node.task === null && !isOver))
      continue;
    const { nodeId, iteration } = node.row;
    const child = await newestOfChain(store, globalTaskId({ runId, nodeId, iteration }));
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
