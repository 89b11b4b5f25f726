import type { AlertCondition } from "../../model/alert.js";
import type { EventBody } from "../../model/events.js";
import { isTerminalNode, type NodeRow } from "../../model/node.js";
import type { Disposition } from "../../scheduler/index.js";
import { formatDuration } from "../../util/duration.js";

/** The conditions that a task meets in this state. */
export function conditionsOf(row: NodeRow): AlertCondition[] {
  const isRetried = row.failures > 0 && !isTerminalNode(row.state);
  const own = OF_STATE[row.state];
  if (own === undefined) return isRetried ? ["task-retrying"] : [];
  return isRetried ? [own, "task-retrying"] : [own];
}

const OF_STATE: Partial<Record<NodeRow["state"], AlertCondition>> = {
  "in-progress": "task-running",
  "waiting-approval": "approval-pending",
  "waiting-event": "event-pending",
  "waiting-timer": "timer-pending",
  "waiting-quota": "quota-pending",
  failed: "task-failed",
};

/** Epoch ms from which on the task is in its state. */
export function sinceMs(row: NodeRow): number {
  return row.waitingSinceMs ?? row.updatedAtMs;
}

/** The condition that an event shows and no state does. */
export function conditionOfEvent(body: EventBody): AlertCondition | null {
  switch (body.type) {
    case "ApprovalDenied":
      return "approval-denied";
    case "BudgetExceeded":
      return "budget-exceeded";
    case "LoopFinished":
      return body.exhausted ? "loop-exhausted" : null;
    case "WorkflowChangeAccepted":
      return "workflow-changed";
    default:
      return null;
  }
}

/** The condition that the end of a run is to the rules. */
export function conditionOfEnd(stand: Disposition): AlertCondition | null {
  switch (stand.kind) {
    case "finished":
      return "run-finished";
    case "failed":
      return "run-failed";
    case "cancelled":
      return "run-cancelled";
    default:
      return null;
  }
}

/** One sentence for people. `afterMs` of 0 = it has just begun. */
export function describe(condition: AlertCondition, subject: string, afterMs: number): string {
  const what = PREDICATES[condition];
  return afterMs === 0 ? `${subject} ${what}.` : `${subject} ${what}, for ${formatDuration(afterMs)} by now.`;
}

const PREDICATES: Record<AlertCondition, string> = {
  "run-running": "is running",
  "run-finished": "has finished",
  "run-failed": "has failed",
  "run-cancelled": "was cancelled",
  "task-running": "is running",
  "task-retrying": "has failed and is tried again",
  "task-failed": "has failed",
  "approval-pending": "waits for a decision",
  "approval-denied": "was denied",
  "event-pending": "waits for a signal",
  "timer-pending": "waits for its timer",
  "quota-pending": "waits for an agent's quota",
  "budget-exceeded": "has used up its budget",
  "loop-exhausted": "has stopped at its limit of iterations",
  "workflow-changed": "continues although its workflow has changed",
};
