import { parseTaskKey, taskKey } from "../model/address.js";
import type { Hold } from "../model/alert.js";
import type { WaitingStatus } from "../model/run.js";
import type { DecisionIntent } from "./intents.js";
import { ask, askedFor, isAnswer } from "./questions.js";
import type { SchedulerState } from "./state.js";
import type { Turn } from "./turn.js";

/** Holds keep a run as it is: what runs may end, nothing new starts, and the run does not finish. */

/** What a held run waits for; null when nothing holds it. */
export function heldAs(state: SchedulerState): WaitingStatus | null {
  if (state.holds.size === 0) return null;
  for (const hold of state.holds.values()) if (hold.asks) return "waiting-approval";
  return "waiting-event";
}

export function placeHold(turn: Turn, { id, reason, asks }: Pick<Hold, "id" | "reason" | "asks">): void {
  if (turn.state.holds.has(id)) return;
  const hold: Hold = { kind: "hold", id, reason, asks, sinceMs: turn.now, isOpen: true };
  turn.state.holds.set(id, hold);
  turn.emit({ type: "hold", hold });
  if (asks) askFor(turn, hold);
  else turn.event({ type: "RunPaused", reason });
}

function askFor(turn: Turn, hold: Hold): void {
  const { nodeId, iteration } = parseTaskKey(hold.id);
  const request = { title: hold.reason, summary: "Approve to let the run go on; a denial cancels it." };
  const question = { mode: "gate" as const, request, options: null, allowedScopes: null, allowedUsers: null };
  ask(turn, "ApprovalRequested", askedFor({ nodeId, iteration, ...question }, turn.now));
}

/** Somebody resumes the run by hand. */
export function liftPauses(turn: Turn): void {
  for (const hold of [...turn.state.holds.values()]) if (!hold.asks) lift(turn, hold);
}

/** Takes the decision on a hold up: whether it lets the run go on, if it is about one. */
export function decideHold(turn: Turn, intent: DecisionIntent): "approved" | "denied" | "refused" | null {
  const { nodeId, iteration, decision } = intent;
  const hold = turn.state.holds.get(taskKey({ nodeId, iteration }));
  const request = turn.state.approvals.get(taskKey({ nodeId, iteration }));
  if (hold?.asks !== true || request === undefined) return null;
  if (!isAnswer(turn, intent, request)) return "refused";
  turn.emit({
    type: "approval",
    row: {
      ...request,
      status: decision.approved ? "approved" : "denied",
      decision,
      decidedAtMs: intent.atMs,
    },
  });
  turn.event({
    type: decision.approved ? "ApprovalGranted" : "ApprovalDenied",
    nodeId,
    iteration,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
  });
  lift(turn, hold);
  return decision.approved ? "approved" : "denied";
}

/** The run has ended in another way: nobody has to decide about it any more. */
export function dropHolds(turn: Turn): void {
  for (const hold of [...turn.state.holds.values()]) {
    const request = turn.state.approvals.get(hold.id);
    if (hold.asks && request !== undefined) {
      turn.emit({ type: "approval", row: { ...request, status: "withdrawn" } });
    }
    lift(turn, hold);
  }
}

function lift(turn: Turn, hold: Hold): void {
  turn.state.holds.delete(hold.id);
  turn.state.settled = false;
  turn.emit({ type: "hold", hold: { ...hold, isOpen: false } });
  if (!hold.asks) turn.event({ type: "RunUnpaused" });
}
