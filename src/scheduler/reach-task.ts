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
import type { StepContext } from "./step-context.js";
import { decidedRequest, isPausing, waitForApproval, waitForEvent, waitForTimer } from "./waits.js";

/** Everything before a task is done: skip it, let it wait, or queue it. */
export function reachTask(context: StepContext, index: number, vertex: Vertex): void {
  const node = context.state.nodes.get(vertex.key);
  const task = node?.task;
  if (node === undefined || task == null) return;
  if (isTerminalNode(node.row.state)) {
    if (letsGoOn(node)) return context.open(index);
    if (node.row.state === "failed" && node.row.error !== null) {
      // A scope that handled this failure stays as it is; anything else fails again.
      return failRegion(context, vertex.region, { key: node.key, error: node.row.error });
    }
    return;
  }
  if (node.attempt !== null || context.heldBack.has(vertex.key)) return;
  const skipReason = whySkip(context, node, vertex);
  if (task.skipIf || skipReason !== null) {
    skipNode(context, node, skipReason ?? undefined);
    return context.open(index);
  }
  if (missingDependencies(context.state, node).length > 0) return;
  if (isDecidedOtherwise(context, node, task)) node.resolution = null;
  if (node.resolution !== null) return enqueue(context, node);
  beginTask(context, node, task);
}

/** Null unless something other than the task's own `skipIf` keeps it from running. */
function whySkip(context: StepContext, node: NodeRecord, vertex: Vertex): string | null {
  node.denied = isTakenByDenial(context, node);
  if (node.denied) return "an approval before it was denied";
  return isRegionActive(context, vertex.region) ? null : "the block around it is over";
}

function beginTask(context: StepContext, node: NodeRecord, task: TaskDescriptor): void {
  const { maxInterruptions } = context.state;
  if (maxInterruptions > 0 && node.row.interruptions >= maxInterruptions)
    return failInterrupted(context, node);
  if (asksFirst(task)) {
    const request = decidedRequest(context, node, task);
    if (request === undefined) {
      return isPausing(node, task, context.now)
        ? backOff(context, node, task)
        : waitForApproval(context, node, task);
    }
    const isPassedGate = request.mode === "gate" && request.decision?.approved === true;
    if (!isPassedGate) return applyDecided(context, node, request);
  }
  if (isHijacked(node)) return;
  if (task.kind === "timer") return waitForTimer(context, node, task.timerWait ?? {});
  if (task.eventWait !== undefined)
    return waitForEvent(context, node, { wait: task.eventWait, schema: task.outputSchema });
  if (node.row.dueAtMs !== null && node.row.dueAtMs > context.now) return backOff(context, node, task);
  enqueue(context, node);
}

/** Back-off or quota of an earlier attempt, perhaps of a process that is gone. */
function backOff(context: StepContext, node: NodeRecord, task: TaskDescriptor): void {
  const { row } = node;
  if (row.state === "pending" && row.dueAtMs !== null) {
    // No back-off is longer than this, whatever the clock showed when it was written down.
    const longestMs = backoffMs(task.retryPolicy, Math.max(1, row.failures));
    row.dueAtMs = Math.min(row.dueAtMs, context.now + longestMs);
  }
  armDue(context, node);
}

/** It has a decision whose row is not written yet, and asks something else by now. */
function isDecidedOtherwise(context: StepContext, node: NodeRecord, task: TaskDescriptor): boolean {
  return node.resolution?.kind === "decision" && decidedRequest(context, node, task) === undefined;
}
