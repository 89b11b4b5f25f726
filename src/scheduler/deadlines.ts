import type { TaskDescriptor } from "../model/task.js";
import { failAttemptless } from "./attempts.js";
import { endWaiting, openIfReached, skipNode } from "./nodes.js";
import { enqueue } from "./ready.js";
import type { Deadline, NodeRecord, SchedulerState } from "./state.js";
import type { StepContext } from "./step-context.js";
import { askAgain, decidedRequest, fireTimer, goOnWithout, timeoutError, waitForApproval } from "./waits.js";

/** Epoch ms of the next thing that happens by itself; undefined when nothing does. */
export function nextDeadline(state: SchedulerState): number | undefined {
  for (let top = state.deadlines.peek(); top !== undefined; top = state.deadlines.peek()) {
    if (isCurrent(state, top)) return top.atMs;
    take(state, top);
  }
  return undefined;
}

/** Fires everything that is due. */
export function fireDeadlines(context: StepContext): void {
  const { state, now } = context;
  for (let top = state.deadlines.peek(); top !== undefined && top.atMs <= now; top = state.deadlines.peek()) {
    const node = take(state, top);
    if (node === undefined || !isCurrent(state, top)) continue;
    if (top.kind === "due") fireDue(context, node);
    else fireAttemptDeadline(context, node, top);
  }
}

/** Takes the first entry off; its node may be armed for the same time again. */
function take(state: SchedulerState, deadline: Deadline): NodeRecord | undefined {
  state.deadlines.pop();
  const node = state.nodes.get(deadline.key);
  if (deadline.kind === "due" && node?.armedAtMs === deadline.atMs) node.armedAtMs = null;
  return node;
}

/** Entries are never searched for and removed: one that no longer applies is dropped when it comes up. */
function isCurrent(state: SchedulerState, deadline: Deadline): boolean {
  const node = state.nodes.get(deadline.key);
  if (node === undefined) return false;
  if (deadline.kind === "due") {
    const { row, attempt, resolution } = node;
    // A wait that has ended needs no deadline; writing its row may have failed and be backing off, though.
    const isOpen = attempt === null && (resolution === null || row.state === "pending");
    return isOpen && row.dueAtMs === deadline.atMs;
  }
  const { attempt } = node;
  return attempt !== null && attempt.no === deadline.attempt && attempt.aborting === null;
}

function fireDue(context: StepContext, node: NodeRecord): void {
  const { row, task } = node;
  switch (row.state) {
    case "pending":
    case "waiting-quota":
      // The back-off is over, or the quota is there again. A task that a newer plan put before it may still be pending.
      row.state = "pending";
      endWaiting(node);
      context.changed(node);
      if (isAskedNow(context, node, task)) return waitForApproval(context, node, task);
      return enqueue(context, node);
    case "waiting-timer":
      return fireTimer(context, node);
    case "waiting-approval":
      context.event({ type: "ApprovalTimedOut", nodeId: row.nodeId, iteration: row.iteration });
      if (task?.kind === "approval" && row.failures < task.retries) return askAgain(context, node, task);
      return failAttemptless(context, node, {
        code: "TASK_TIMEOUT",
        message: timeoutError(node, "The approval").message,
      });
    case "waiting-event": {
      const onTimeout = task?.eventWait?.onTimeout ?? "fail";
      context.event({ type: "EventWaitTimedOut", nodeId: row.nodeId, iteration: row.iteration, onTimeout });
      if (onTimeout === "continue") return goOnWithout(context, node);
      if (onTimeout === "skip") {
        const { wait } = row;
        skipNode(context, node, "no event arrived in time");
        // A loop, or a chain of runs, that skips its tasks only after a wait may continue for ever.
        if (wait?.kind === "event") row.wait = { ...wait, timedOut: true };
        return openIfReached(context, node);
      }
      return failAttemptless(context, node, {
        code: "TASK_TIMEOUT",
        message: timeoutError(node, "The wait").message,
      });
    }
    default:
      return;
  }
}

/** The pause before an approval is asked again is over. */
function isAskedNow(
  context: StepContext,
  node: NodeRecord,
  task: TaskDescriptor | null,
): task is TaskDescriptor {
  return task?.kind === "approval" && decidedRequest(context, node, task) === undefined;
}

/** A heartbeat moves the deadline without touching the heap; the old entry re-arms itself here. */
function fireAttemptDeadline(context: StepContext, node: NodeRecord, deadline: Deadline): void {
  const { attempt, row } = node;
  if (attempt === null) return;
  const address = { nodeId: row.nodeId, iteration: row.iteration, attempt: attempt.no };
  if (deadline.kind === "heartbeat") {
    const timeoutMs = attempt.heartbeatTimeoutMs as number;
    const dueAtMs = attempt.heartbeatAtMs + timeoutMs;
    if (dueAtMs > context.now) {
      context.state.deadlines.push({ ...deadline, atMs: dueAtMs });
      return;
    }
    context.event({
      type: "TaskHeartbeatTimeout",
      ...address,
      lastHeartbeatAtMs: attempt.heartbeatAtMs,
      timeoutMs,
    });
  }
  attempt.aborting =
    deadline.kind === "heartbeat"
      ? {
          name: "ServiceError",
          code: "TASK_HEARTBEAT_TIMEOUT",
          message: `Task ${row.nodeId} gave no sign of life for ${attempt.heartbeatTimeoutMs} ms.`,
          details: { ...address, timeoutMs: attempt.heartbeatTimeoutMs },
        }
      : {
          name: "ServiceError",
          code: "TASK_TIMEOUT",
          message: `Task ${row.nodeId} did not finish within its timeoutMs of ${attempt.timeoutMs} ms.`,
          details: { ...address, timeoutMs: attempt.timeoutMs },
        };
  context.emit({ type: "abort", key: node.key, attempt: attempt.no, error: attempt.aborting });
}
