import { isTerminalNode } from "../model/node.js";
import type { TaskDescriptor } from "../model/task.js";
import { failAttemptless } from "./attempts.js";
import type { Vertex } from "./graph-types.js";
import { letsGoOn, missingDependencies, skipNode } from "./nodes.js";
import { enqueue } from "./ready.js";
import { failRegion, isRegionActive } from "./scopes.js";
import type { NodeRecord } from "./state.js";
import type { Turn } from "./turn.js";
import { waitForApproval, waitForEvent, waitForTimer } from "./waits.js";

/** Everything before a task is done: skip it, let it wait, or queue it. */
export function reachTask(turn: Turn, index: number, vertex: Vertex): void {
  const node = turn.state.nodes.get(vertex.key);
  const task = node?.task;
  if (node === undefined || task == null) return;
  if (isTerminalNode(node.row.state)) {
    if (letsGoOn(node)) return turn.open(index);
    if (node.row.state === "failed" && node.row.error !== null) {
      // A scope that handled this failure stays as it is; anything else fails again.
      return failRegion(turn, vertex.region, node.key, node.row.error);
    }
    return;
  }
  if (node.attempt !== null) return;
  if (missingDependencies(turn.state, node).length > 0) return;
  const skipReason = node.skipReason ?? inactiveReason(turn, vertex);
  if (task.skipIf || skipReason !== null) {
    skipNode(turn, node, skipReason ?? undefined);
    return turn.open(index);
  }
  if (node.resolution !== null) return enqueue(turn, node);
  beginTask(turn, node, task);
}

function inactiveReason(turn: Turn, vertex: Vertex): string | null {
  return isRegionActive(turn, vertex.region) ? null : "the block around it is over";
}

function beginTask(turn: Turn, node: NodeRecord, task: TaskDescriptor): void {
  switch (task.kind) {
    case "timer":
      return waitForTimer(turn, node, task.timerWait ?? {});
    case "event":
      if (task.eventWait === undefined) break;
      return waitForEvent(turn, node, task.eventWait);
    case "approval":
    case "human":
      return waitForApproval(turn, node, task);
    default:
      break;
  }
  if (task.needsApproval && !isApproved(turn, node)) {
    const denied = turn.state.approvals.get(node.key)?.decision?.approved === false;
    if (denied) return failAttemptless(turn, node, "APPROVAL_DENIED", `Task ${node.row.nodeId} was denied.`);
    return waitForApproval(turn, node, task);
  }
  if (node.row.dueAtMs !== null && node.row.dueAtMs > turn.now) {
    // Back-off or quota of an earlier attempt, perhaps of a process that is gone.
    turn.state.deadlines.push({ atMs: node.row.dueAtMs, key: node.key, kind: "due", attempt: 0 });
    return;
  }
  enqueue(turn, node);
}

function isApproved(turn: Turn, node: NodeRecord): boolean {
  return turn.state.approvals.get(node.key)?.decision?.approved === true;
}
