import { type TaskKey, taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import type { NodeWait } from "../../model/intent.js";

export type WaitKind = NodeWait["kind"];

/** The wait that a node begins, if the event says so. */
export function waitOf(event: EventBody): { key: TaskKey; kind: WaitKind } | undefined {
  switch (event.type) {
    case "NodeWaitingApproval":
      return { key: taskKey(event), kind: "approval" };
    case "NodeWaitingEvent":
      return { key: taskKey(event), kind: "event" };
    case "NodeWaitingTimer":
      return { key: taskKey(event), kind: "timer" };
    case "NodeWaitingQuota":
      return { key: taskKey(event), kind: "quota" };
    default:
      return undefined;
  }
}

/** How the wait of an event's node has ended. Of several such events for one wait, the first one says it. */
const OUTCOMES = {
  ApprovalGranted: "granted",
  ApprovalAutoApproved: "auto-approved",
  ApprovalDenied: "denied",
  ApprovalTimedOut: "timed-out",
  SignalConsumed: "received",
  EventWaitTimedOut: "timed-out",
  TimerFired: "fired",
  TimerCancelled: "cancelled",
  NodeStarted: "continued",
  NodeFinished: "finished",
  NodeFailed: "failed",
  NodeCancelled: "cancelled",
  NodeSkipped: "skipped",
  NodePending: "reopened",
} as const satisfies Partial<Record<EventBody["type"], string>>;

export function waitEndOf(event: EventBody): { key: TaskKey; outcome: string } | undefined {
  if (!endsWait(event)) return undefined;
  return { key: taskKey(event), outcome: OUTCOMES[event.type] };
}

function endsWait(event: EventBody): event is Extract<EventBody, { type: keyof typeof OUTCOMES }> {
  return Object.hasOwn(OUTCOMES, event.type);
}
