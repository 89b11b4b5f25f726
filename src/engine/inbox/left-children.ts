import { parentAsRequester, parseTaskKey, type TaskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import type { RunConfig } from "../../model/run-config.js";
import { isTerminalNode } from "../../model/node.js";
import { isTerminal, type RunRow, type RunStatus } from "../../model/run.js";
import type { ScheduledNode, SchedulerView } from "../../scheduler/index.js";
import { newestOfChain, type Store } from "../../store/index.js";
import type { CommitBuilder } from "../turn/commit.js";

/** The parts that a driven run and one that no process drives have in common. */
export interface LeavingRun {
  readonly runId: string;
  readonly config: Pick<RunConfig, "continuation">;
  readonly state: SchedulerView;
}

/** Whether this commit gives up nodes, whose child runs `leaveChildren` then looks for. */
export function givesUpNodes({ state }: LeavingRun, commit: CommitBuilder): boolean {
  if (givesUpRun(commit)) return true;
  for (const key of commit.changedNodes) if (isGivenUp(state.nodes.get(key))) return true;
  return false;
}

/** A failed run is resumed with its nodes. */
function givesUpRun({ run: { status } }: CommitBuilder): boolean {
  return status !== undefined && isTerminal(status) && status !== "failed";
}

/** Of a run that continues as another one: what has not ended begins anew there, but for child runs that go along. */
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
 * tree may come back: its child waits on until the run ends. So does one that an
 * earlier run of the chain has begun and this one has not come to.
 */
export async function leaveChildren(store: Store, run: LeavingRun, commit: CommitBuilder): Promise<RunRow[]> {
  const left: RunRow[] = [];
  const { runId, state } = run;
  const isOver = givesUpRun(commit);
  const inherited = run.config.continuation?.children ?? {};
  const goAlong = new Set(
    commit.newRuns.flatMap(({ config }) => Object.values(config.continuation?.children ?? {})),
  );
  const keys = isOver
    ? new Set([...state.nodes.keys(), ...(Object.keys(inherited) as TaskKey[])])
    : commit.changedNodes;
  for (const key of keys) {
    const node = state.nodes.get(key);
    const mayHaveChild = inherited[key] !== undefined || (node?.row.lastAttempt ?? 0) > 0;
    if (!mayHaveChild || (node?.task == null && !isOver)) continue;
    if (node !== undefined && !isGivenUp(node, commit.run.status)) continue;
    const { nodeId, iteration } = parseTaskKey(key);
    const id = childRunId(run, { nodeId, iteration });
    if (goAlong.has(id)) continue;
    const child = await newestOfChain(store, id);
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
