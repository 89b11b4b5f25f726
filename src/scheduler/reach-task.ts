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
import type { Move } from "./move.js";
import { decidedRequest, isPausing, waitForApproval, waitForEvent, waitForTimer } from "./waits.js";

/** Everything before a task is done: skip it, let it wait, or queue it. */
export function reachTask(move: Move, index: number, vertex: Vertex): void {
  const node = move.state.nodes.get(vertex.key);
  const task = node?.task;
  if (node === undefined || task == null) return;
  if (isTerminalNode(node.row.state)) {
    if (letsGoOn(node)) return move.open(index);
    if (node.row.state === "failed" && node.row.error !== null) {
      // A scope that handled this failure stays as it is; anything else fails again.
      return failRegion(move, vertex.region, { key: node.key, error: node.row.error });
    }
    return;
  }
  if (node.attempt !== null || move.heldBack.has(vertex.key)) return;
  const skipReason = whySkip(move, node, vertex);
  if (task.skipIf || skipReason !== null) {
    skipNode(move, node, skipReason ?? undefined);
    return move.open(index);
  }
  if (missingDependencies(move.state, node).length > 0) return;
  if (isDecidedOtherwise(move, node, task)) node.resolution = null;
  if (node.resolution !== null) return enqueue(move, node);
  beginTask(move, node, task);
}

/** Null unless something other than the task's own `skipIf` keeps it from running. */
function whySkip(move: Move, node: NodeRecord, vertex: Vertex): string | null {
  node.denied = isTakenByDenial(move, node);
  if (node.denied) return "an approval before it was denied";
  return isRegionActive(move, vertex.region) ? null : "the block around it is over";
}

function beginTask(move: Move, node: NodeRecord, task: TaskDescriptor): void {
  const { maxInterruptions } = move.state;
  if (maxInterruptions > 0 && node.row.interruptions >= maxInterruptions) return failInterrupted(move, node);
  if (asksFirst(task)) {
    const request = decidedRequest(move, node, task);
    if (request === undefined) {
      return isPausing(node, task, move.now) ? backOff(move, node, task) : waitForApproval(move, node, task);
    }
    const isPassedGate = request.mode === "gate" && request.decision?.approved === true;
    if (!isPassedGate) return applyDecided(move, node, request);
  }
  if (isHijacked(node)) return;
  if (task.kind === "timer") return waitForTimer(move, node, task.timerWait ?? {});
  if (task.eventWait !== undefined)
    return waitForEvent(move, node, { wait: task.eventWait, schema: task.outputSchema });
  if (node.row.dueAtMs !== null && node.row.dueAtMs > move.now) return backOff(move, node, task);
  enqueue(move, node);
}

/** Back-off or quota of an earlier attempt, perhaps of a process that is gone. */
function backOff(move: Move, node: NodeRecord, task: TaskDescriptor): void {
  const { row } = node;
  if (row.state === "pending" && row.dueAtMs !== null) {
    // No back-off is longer than this, whatever the clock showed when it was written down.
    const longestMs = backoffMs(task.retryPolicy, Math.max(1, row.failures));
    row.dueAtMs = Math.min(row.dueAtMs, move.now + longestMs);
  }
  armDue(move, node);
}

/** It has a decision whose row is not written yet, and asks something else by now. */
function isDecidedOtherwise(move: Move, node: NodeRecord, task: TaskDescriptor): boolean {
  return node.resolution?.kind === "decision" && decidedRequest(move, node, task) === undefined;
}
