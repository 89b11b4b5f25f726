import { parseTaskKey, taskKey } from "../model/address.js";
import type { Hold } from "../model/alert.js";
import type { ApprovalRow } from "../model/approval.js";
import type { WaitingStatus } from "../model/run.js";
import type { DecisionIntent } from "./intents.js";
import { askPeople, askedFor, isAnswer } from "./questions.js";
import type { SchedulerState } from "./state.js";
import type { Move } from "./move.js";

/** Holds keep a run as it is: what runs may end, nothing new starts, and the run does not finish. */

/** What a held run waits for; null when nothing holds it. */
export function heldAs(state: SchedulerState): WaitingStatus | null {
  if (state.holds.size === 0) return null;
  for (const hold of state.holds.values()) if (hold.asks) return "waiting-approval";
  return "waiting-event";
}

export function placeHold(move: Move, { id, reason, asks }: Pick<Hold, "id" | "reason" | "asks">): void {
  if (move.state.holds.has(id)) return;
  const hold: Hold = { kind: "hold", id, reason, asks, sinceMs: move.now, isOpen: true };
  move.state.holds.set(id, hold);
  move.emit({ type: "hold", hold });
  if (asks) askFor(move, hold);
  else move.event({ type: "RunPaused", reason });
}

function askFor(move: Move, hold: Hold): void {
  const { nodeId, iteration } = parseTaskKey(hold.id);
  const request = { title: hold.reason, summary: "Approve to let the run go on; a denial cancels it." };
  const question = { mode: "gate" as const, request, options: null, allowedScopes: null, allowedUsers: null };
  askPeople(move, "ApprovalRequested", askedFor({ nodeId, iteration, ...question }, move.now));
}

/** Somebody resumes the run by hand. */
export function liftPauses(move: Move): void {
  for (const hold of [...move.state.holds.values()]) if (!hold.asks) lift(move, hold);
}

/** Takes the decision on a hold up: whether it lets the run go on, if it is about one. */
export function decideHold(move: Move, intent: DecisionIntent): "approved" | "denied" | "refused" | null {
  const { nodeId, iteration, decision } = intent;
  const hold = move.state.holds.get(taskKey({ nodeId, iteration }));
  const request = move.state.approvals.get(taskKey({ nodeId, iteration }));
  if (hold?.asks !== true || request === undefined) return null;
  if (!isAnswer(move, intent, request)) return "refused";
  keepRequest(move, {
    ...request,
    status: decision.approved ? "approved" : "denied",
    decision,
    decidedAtMs: intent.atMs,
  });
  move.event({
    type: decision.approved ? "ApprovalGranted" : "ApprovalDenied",
    nodeId,
    iteration,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
  });
  lift(move, hold);
  return decision.approved ? "approved" : "denied";
}

/** The run has ended in another way: nobody has to decide about it any more. */
export function dropHolds(move: Move): void {
  for (const hold of [...move.state.holds.values()]) {
    const request = move.state.approvals.get(hold.id);
    if (hold.asks && request !== undefined) {
      keepRequest(move, { ...request, status: "withdrawn" });
    }
    lift(move, hold);
  }
}

function keepRequest(move: Move, row: ApprovalRow): void {
  move.state.approvals.set(taskKey(row), row);
  move.emit({ type: "approval", row });
}

function lift(move: Move, hold: Hold): void {
  move.state.holds.delete(hold.id);
  move.state.isConfirmed = false;
  move.emit({ type: "hold", hold: { ...hold, isOpen: false } });
  if (!hold.asks) move.event({ type: "RunUnpaused" });
}
