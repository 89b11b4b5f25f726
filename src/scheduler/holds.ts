import { parseTaskKey, taskKey } from "../model/address.js";
import type { Hold } from "../model/alert.js";
import type { ApprovalRow } from "../model/approval.js";
import type { WaitingStatus } from "../model/run.js";
import type { DecisionIntent } from "./intents.js";
import { askPeople, askedFor, isAnswer } from "./questions.js";
import type { SchedulerState } from "./state.js";
import type { StepContext } from "./step-context.js";

/** Holds keep a run as it is: what runs may end, nothing new starts, and the run does not finish. */

/** The wait of a held run; null when nothing holds it. */
export function heldAs(state: SchedulerState): WaitingStatus | null {
  if (state.holds.size === 0) return null;
  for (const hold of state.holds.values()) if (hold.asks) return "waiting-approval";
  return "waiting-event";
}

export function placeHold(
  context: StepContext,
  { id, reason, asks }: Pick<Hold, "id" | "reason" | "asks">,
): void {
  if (context.state.holds.has(id)) return;
  const hold: Hold = { kind: "hold", id, reason, asks, sinceMs: context.now, isOpen: true };
  context.state.holds.set(id, hold);
  context.emit({ type: "hold", hold });
  if (asks) askFor(context, hold);
  else context.event({ type: "RunPaused", reason });
}

function askFor(context: StepContext, hold: Hold): void {
  const { nodeId, iteration } = parseTaskKey(hold.id);
  const request = { title: hold.reason, summary: "Approve to let the run continue; a denial cancels it." };
  const question = { mode: "gate" as const, request, options: null, allowedScopes: null, allowedUsers: null };
  askPeople(context, "ApprovalRequested", askedFor({ nodeId, iteration, ...question }, context.now));
}

/** A process resumes the run by hand. */
export function liftPauses(context: StepContext): void {
  for (const hold of [...context.state.holds.values()]) if (!hold.asks) lift(context, hold);
}

/** Takes the decision on a hold up: whether it lets the run continue, if it is about one. */
export function decideHold(
  context: StepContext,
  intent: DecisionIntent,
): "approved" | "denied" | "refused" | null {
  const { nodeId, iteration, decision } = intent;
  const hold = context.state.holds.get(taskKey({ nodeId, iteration }));
  const request = context.state.approvals.get(taskKey({ nodeId, iteration }));
  if (hold?.asks !== true || request === undefined) return null;
  if (!isAnswer(context, intent, request)) return "refused";
  keepRequest(context, {
    ...request,
    status: decision.approved ? "approved" : "denied",
    decision,
    decidedAtMs: intent.atMs,
  });
  context.event({
    type: decision.approved ? "ApprovalGranted" : "ApprovalDenied",
    nodeId,
    iteration,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
  });
  lift(context, hold);
  return decision.approved ? "approved" : "denied";
}

/** The run has ended in another way: its requests need no decision any more. */
export function dropHolds(context: StepContext): void {
  for (const hold of [...context.state.holds.values()]) {
    const request = context.state.approvals.get(hold.id);
    if (hold.asks && request !== undefined) {
      keepRequest(context, { ...request, status: "withdrawn" });
    }
    lift(context, hold);
  }
}

function keepRequest(context: StepContext, row: ApprovalRow): void {
  context.state.approvals.set(taskKey(row), row);
  context.emit({ type: "approval", row });
}

function lift(context: StepContext, hold: Hold): void {
  context.state.holds.delete(hold.id);
  context.state.isConfirmed = false;
  context.emit({ type: "hold", hold: { ...hold, isOpen: false } });
  if (!hold.asks) context.event({ type: "RunUnpaused" });
}
