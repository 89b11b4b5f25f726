import { taskKey } from "../model/address.js";
import { serializeError } from "../errors/ensure-error.js";
import { isTerminalNode } from "../model/node.js";
import type { ApprovalRow } from "../model/approval.js";
import { failAttemptless } from "./attempts.js";
import { skipWithFollowers } from "./denials.js";
import { giveBack, hijack } from "./hijack.js";
import { decideHold } from "./holds.js";
import type { CancelIntent, DecisionIntent, InboxPlace, SchedulerIntent } from "./intents.js";
import { cancelTimer, endWaiting, withdrawApproval } from "./nodes.js";
import { isAnswer } from "./questions.js";
import { enqueue } from "./ready.js";
import type { Cancellation, NodeRecord } from "./state.js";
import type { Turn } from "./turn.js";
import { deliverSignal, isInTime, resolve } from "./waits.js";

/** Applies a request from outside. */
export function applyIntent(turn: Turn, intent: SchedulerIntent): void {
  switch (intent.kind) {
    case "cancel":
      return requestCancel(turn, intent);
    case "signal": {
      turn.event({
        type: "SignalReceived",
        signal: intent.name,
        signalSeq: intent.id,
        ...(intent.correlationId !== undefined && { correlationId: intent.correlationId }),
      });
      return deliverSignal(turn, intent);
    }
    case "approval":
      return applyDecision(turn, intent);
    case "hijack":
      turn.emit({ type: "consume", intentId: intent.id });
      return intent.action === "take" ? hijack(turn, intent) : giveBack(turn, intent);
    case "wake":
      turn.emit({ type: "consume", intentId: intent.id });
      return wakeSubflow(turn, turn.state.nodes.get(taskKey(intent)));
    case "unreadable":
      turn.emit({ type: "consume", intentId: intent.id });
      return turn.event({
        type: "IntentUnreadable",
        intentId: intent.id,
        error: serializeError(intent.error),
      });
    default:
      return intent satisfies never;
  }
}

/** Its child run has moved: the subflow looks at it again. */
function wakeSubflow(turn: Turn, node: NodeRecord | undefined): void {
  if (node?.task?.kind !== "subflow") return;
  // It may be about to wait for a child that has ended since it looked.
  if (node.attempt !== null) node.attempt.woken = true;
  if (!node.row.state.startsWith("waiting-")) return;
  node.row.state = "pending";
  endWaiting(node);
  turn.changed(node);
  enqueue(turn, node);
}

function requestCancel(turn: Turn, intent: CancelIntent & Pick<InboxPlace, "id">): void {
  const { state } = turn;
  turn.emit({ type: "consume", intentId: intent.id });
  if (state.cancelling !== null) return;
  state.cancelling = {
    ...(intent.reason !== undefined && { reason: intent.reason }),
    ...(intent.requestedBy !== undefined && { requestedBy: intent.requestedBy }),
  };
  state.settled = false;
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
    turn.emit({ type: "abort", key, attempt: attempt.no, error: attempt.aborting });
  }
}

/** Everything that had not ended is cancelled; called once no attempt is in progress. */
export function cancelRest(turn: Turn): void {
  for (const node of turn.state.nodes.values()) {
    if (isTerminalNode(node.row.state)) continue;
    const { row } = node;
    cancelTimer(turn, node);
    withdrawApproval(turn, node);
    row.state = "cancelled";
    row.dueAtMs = null;
    row.waitingSinceMs = null;
    turn.event({ type: "NodeCancelled", nodeId: row.nodeId, iteration: row.iteration });
    turn.changed(node);
  }
}

function applyDecision(turn: Turn, intent: DecisionIntent): void {
  const { state } = turn;
  const key = taskKey(intent);
  turn.emit({ type: "consume", intentId: intent.id });
  const held = decideHold(turn, intent);
  if (held === "denied") return requestCancel(turn, { id: -1, kind: "cancel", ...denied(intent) });
  if (held !== null) return;
  const request = state.approvals.get(key);
  const node = state.nodes.get(key);
  // Decided, timed out or cancelled in the meantime: the first answer stands.
  if (request === undefined || request.decision !== null || node?.row.state !== "waiting-approval") return;
  if (!isInTime(node, intent.atMs) || !isAnswer(turn, intent, request)) return;
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
  turn.emit({ type: "approval", row: decided });
  const isAudited = intent.automatic === true && node.task?.approvalAutoApprove?.audit === true;
  turn.event({
    type: isAudited ? "ApprovalAutoApproved" : decision.approved ? "ApprovalGranted" : "ApprovalDenied",
    nodeId: intent.nodeId,
    iteration: intent.iteration,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
  });
  applyDecided(turn, node, decided);
}

function denied({ nodeId, decision }: DecisionIntent): Cancellation {
  const note = decision.note === undefined ? "" : `: ${decision.note}`;
  return {
    reason: `${nodeId} was denied${note}`,
    ...(decision.decidedBy !== undefined && { requestedBy: decision.decidedBy }),
  };
}

/** What a decision means for its node. */
export function applyDecided(turn: Turn, node: NodeRecord, request: ApprovalRow): void {
  const { decision } = request;
  if (decision === null) return;
  const isGate = request.mode === "gate";
  if (decision.approved) {
    node.row.state = "pending";
    endWaiting(node);
    turn.changed(node);
    if (isGate) return enqueue(turn, node);
    return resolve(turn, node, {
      kind: "decision",
      decision,
      decidedAtMs: request.decidedAtMs ?? turn.now,
    });
  }
  const onDeny = isGate ? "fail" : (node.task?.approvalOnDeny ?? "fail");
  switch (onDeny) {
    case "fail": {
      const by = decision.decidedBy === undefined ? "" : ` by ${decision.decidedBy}`;
      const note = decision.note === undefined ? "" : `: ${decision.note}`;
      return failAttemptless(turn, node, {
        code: "APPROVAL_DENIED",
        message: `${node.row.nodeId} was denied${by}${note}.`,
      });
    }
    case "continue":
      node.row.state = "pending";
      endWaiting(node);
      turn.changed(node);
      return resolve(turn, node, {
        kind: "decision",
        decision,
        decidedAtMs: request.decidedAtMs ?? turn.now,
      });
    case "skip":
      return skipWithFollowers(turn, node);
    default:
      return onDeny satisfies never;
  }
}
