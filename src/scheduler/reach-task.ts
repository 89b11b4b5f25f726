import { isTerminalNode } from "../model/node.js";
import type { TaskDescriptor } from "../model/task.js";
import { asksFirst } from "./asks-first.js";
import { failInterrupted } from "./attempts.js";
import { isTakenByDenial } from "./denials.js";
import { isHijacked } from "./hijack.js";
import { applyDecided } from "./inbox.js";
import type { Vertex } from "./graph-types.js";
import { armDue, letsGoOn, missingDependencies, skipNode } from "./nodes.js";
import { enqueue } from "./ready.js";
import { isRegionActive } from "./regions.js";
import { backoffMs } from "./retry.js";
import { failRegion } from "./scopes.js";
import type { NodeRecord } from "./state.js";
import type { Turn } from "./turn.js";
import { decidedRequest, waitForApproval, waitForEvent, waitForTimer } from "./waits.js";

/** Everything before a task is done: skip it, let it wait, or queue it. */
export function reachTask(turn: Turn, index: number, vertex: Vertex): void {
  const node = turn.state.nodes.get(vertex.key);
  const task = node?.task;
  if (node === undefined || task == null) return;
  if (isTerminalNode(node.row.state)) {
    if (letsGoOn(node)) return turn.open(index);
    if (node.row.state === "failed" && node.row.error !== null) {
      // A scope that handled this failure stays as it is; anything else fails again.
      return failRegion(turn, vertex.region, { key: node.key, error: node.row.error });
    }
    return;
  }
  if (node.attempt !== null || turn.heldBack.has(vertex.key)) return;
  const skipReason = whySkip(turn, node, vertex);
  if (task.skipIf || skipReason !== null) {
    skipNode(turn, node, skipReason ?? undefined);
    return turn.open(index);
  }
  if (missingDependencies(turn.state, node).length > 0) return;
  if (isDecidedOtherwise(turn, node, task)) node.resolution = null;
  if (node.resolution !== null) return enqueue(turn, node);
  beginTask(turn, node, task);
}

/** Null unless something other than the task's own `skipIf` keeps it from running. */
function whySkip(turn: Turn, node: NodeRecord, vertex: Vertex): string | null {
  node.denied = isTakenByDenial(turn, node);
  if (node.denied) return "an approval before it was denied";
  return isRegionActive(turn, vertex.region) ? null : "the block around it is over";
}

function beginTask(turn: Turn, node: NodeRecord, task: TaskDescriptor): void {
  const { maxInterruptions } = turn.state;
  if (maxInterruptions > 0 && node.row.interruptions >= maxInterruptions) return failInterrupted(turn, node);
  if (asksFirst(task)) {
    const request = decidedRequest(turn, node, task);
    if (request === undefined) return waitForApproval(turn, node, task);
    const isPassedGate = request.mode === "gate" && request.decision?.approved === true;
    if (!isPassedGate) return applyDecided(turn, node, request);
  }
  if (isHijacked(node)) return;
  if (task.kind === "timer") return waitForTimer(turn, node, task.timerWait ?? {});
  if (task.eventWait !== undefined)
    return waitForEvent(turn, node, { wait: task.eventWait, schema: task.outputSchema });
  if (node.row.dueAtMs !== null && node.row.dueAtMs > turn.now) {
    // Back-off or quota of an earlier attempt, perhaps of a process that is gone.
    if (node.row.state === "pending") {
      // No back-off is longer than this, whatever the clock showed when it was written down.
      const longestMs = backoffMs(task.retryPolicy, Math.max(1, node.row.failures));
      node.row.dueAtMs = Math.min(node.row.dueAtMs, turn.now + longestMs);
    }
    return armDue(turn, node);
  }
  enqueue(turn, node);
}

/** It has a decision whose row is not written yet, and asks something else by now. */
function isDecidedOtherwise(turn: Turn, node: NodeRecord, task: TaskDescriptor): boolean {
  return node.resolution?.kind === "decision" && decidedRequest(turn, node, task) === undefined;
}
