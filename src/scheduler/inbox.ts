import { taskKey } from "../model/address.js";
import { serializeError } from "../errors/ensure-error.js";
import { isTerminalNode } from "../model/node.js";
import type { ApprovalRow } from "../model/approval.js";
import { failAttemptless } from "./attempts.js";
import { skipWithFollowers } from "./denials.js";
import { giveBack, hijack } from "./hijack.js";
import { decideHold } from "./holds.js";
import {
  type CancelIntent,
  type DecisionIntent,
  type InboxPlace,
  type SchedulerIntent,
  signalReceived,
} from "./intents.js";
import { cancelTimer, endWaiting, withdrawApproval } from "./nodes.js";
import { isAnswer } from "./questions.js";
import { enqueue } from "./ready.js";
import type { Cancellation, NodeRecord } from "./state.js";
import type { Move } from "./move.js";
import { deliverSignal, isInTime, resolve } from "./waits.js";

/** Applies a request from outside. */
export function applyIntent(move: Move, intent: SchedulerIntent): void {
  switch (intent.kind) {
    case "cancel":
      return requestCancel(move, intent);
    case "signal": {
      move.event(signalReceived(intent));
      return deliverSignal(move, intent);
    }
    case "approval":
      return applyDecision(move, intent);
    case "hijack":
      move.emit({ type: "consume", intentId: intent.id });
      return intent.action === "take" ? hijack(move, intent) : giveBack(move, intent);
    case "wake":
      move.emit({ type: "consume", intentId: intent.id });
      return wakeSubflow(move, move.state.nodes.get(taskKey(intent)));
    case "unreadable":
      move.emit({ type: "consume", intentId: intent.id });
      return move.event({
        type: "IntentUnreadable",
        intentId: intent.id,
        error: serializeError(intent.error),
      });
    default:
      return intent satisfies never;
  }
}

/** Its child run has moved: the subflow looks at it again. */
function wakeSubflow(move: Move, node: NodeRecord | undefined): void {
  if (node?.task?.kind !== "subflow") return;
  // It may be about to wait for a child that has ended since it looked.
  if (node.attempt !== null) node.attempt.woken = true;
  if (!node.row.state.startsWith("waiting-")) return;
  node.row.state = "pending";
  endWaiting(node);
  move.changed(node);
  enqueue(move, node);
}

function requestCancel(move: Move, intent: CancelIntent & Pick<InboxPlace, "id">): void {
  const { state } = move;
  move.emit({ type: "consume", intentId: intent.id });
  if (state.cancelling !== null) return;
  state.cancelling = {
    ...(intent.reason !== undefined && { reason: intent.reason }),
    ...(intent.requestedBy !== undefined && { requestedBy: intent.requestedBy }),
  };
  state.isConfirmed = false;
  for (const key of state.running) {
    const attempt = state.nodes.get(key)?.attempt;
    if (attempt == null || attempt.aborting !== null) continue;
    attempt.aborting = {
      name: "ServiceError",
      code: "RUN_CANCELLED",
      message:
        intent.reason === undefined ? "The run was cancelled." : `The run was cancelled: ${intent.reason}`,
      retryable: false,
    };
    move.emit({ type: "abort", key, attempt: attempt.no, error: attempt.aborting });
  }
}

/** Everything that had not ended is cancelled; called once no attempt is in progress. */
export function cancelRest(move: Move): void {
  for (const node of move.state.nodes.values()) {
    if (isTerminalNode(node.row.state)) continue;
    const { row } = node;
    cancelTimer(move, node);
    withdrawApproval(move, node);
    row.state = "cancelled";
    row.dueAtMs = null;
    row.waitingSinceMs = null;
    move.event({ type: "NodeCancelled", nodeId: row.nodeId, iteration: row.iteration });
    move.changed(node);
  }
}

function applyDecision(move: Move, intent: DecisionIntent): void {
  const { state } = move;
  const key = taskKey(intent);
  move.emit({ type: "consume", intentId: intent.id });
  const held = decideHold(move, intent);
  if (held === "denied") return requestCancel(move, { id: -1, kind: "cancel", ...denied(intent) });
  if (held !== null) return;
  const request = state.approvals.get(key);
  const node = state.nodes.get(key);
  // Decided, timed out or cancelled in the meantime: the first answer stands.
  if (request === undefined || request.decision !== null || node?.row.state !== "waiting-approval") return;
  if (!isInTime(node, intent.atMs) || !isAnswer(move, intent, request)) return;
  const { decision } = intent;
  const decided: ApprovalRow = {
    ...request,
    status: decision.approved ? "approved" : "denied",
    decision,
    // The clocks of two machines differ, and a clock may be set back.
    decidedAtMs: Math.max(intent.atMs, request.requestedAtMs),
    autoApproved: intent.automatic === true,
  };
  state.approvals.set(key, decided);
  move.emit({ type: "approval", row: decided });
  const isAudited = intent.automatic === true && node.task?.approvalAutoApprove?.audit === true;
  move.event({
    type: isAudited ? "ApprovalAutoApproved" : decision.approved ? "ApprovalGranted" : "ApprovalDenied",
    nodeId: intent.nodeId,
    iteration: intent.iteration,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
  });
  applyDecided(move, node, decided);
}

function denied({ nodeId, decision }: DecisionIntent): Cancellation {
  const note = decision.note === undefined ? "" : `: ${decision.note}`;
  return {
    reason: `${nodeId} was denied${note}`,
    ...(decision.decidedBy !== undefined && { requestedBy: decision.decidedBy }),
  };
}

/** What a decision means for its node. */
export function applyDecided(move: Move, node: NodeRecord, request: ApprovalRow): void {
  const { decision } = request;
  if (decision === null) return;
  const isGate = request.mode === "gate";
  if (decision.approved) {
    node.row.state = "pending";
    endWaiting(node);
    move.changed(node);
    if (isGate) return enqueue(move, node);
    return resolve(move, node, {
      kind: "decision",
      decision,
      decidedAtMs: request.decidedAtMs ?? move.now,
    });
  }
  const onDeny = isGate ? "fail" : (node.task?.approvalOnDeny ?? "fail");
  switch (onDeny) {
    case "fail": {
      const by = decision.decidedBy === undefined ? "" : ` by ${decision.decidedBy}`;
      const note = decision.note === undefined ? "" : `: ${decision.note}`;
      return failAttemptless(move, node, {
        code: "APPROVAL_DENIED",
        message: `${node.row.nodeId} was denied${by}${note}.`,
      });
    }
    case "continue":
      node.row.state = "pending";
      endWaiting(node);
      move.changed(node);
      return resolve(move, node, {
        kind: "decision",
        decision,
        decidedAtMs: request.decidedAtMs ?? move.now,
      });
    case "skip":
      return skipWithFollowers(move, node);
    default:
      return onDeny satisfies never;
  }
}
