import { taskKey } from "../model/address.js";
import { serializeError } from "../errors/ensure-error.js";
import { isTerminalNode } from "../model/node.js";
import type { ApprovalRow } from "../model/approval.js";
import { failAttemptless } from "./attempts.js";
import { takeByHand } from "./by-hand.js";
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
import { isAnswer, refuseDecision } from "./questions.js";
import { enqueue } from "./ready.js";
import type { Cancellation, NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";
import { deliverSignal, isInTime, resolve } from "./waits.js";

/** Applies a request from outside. */
export function applyIntent(context: StepContext, intent: SchedulerIntent): void {
  switch (intent.kind) {
    case "cancel":
      return requestCancel(context, intent);
    case "signal": {
      context.event(signalReceived(intent));
      return deliverSignal(context, intent);
    }
    case "approval":
      return applyDecision(context, intent);
    case "hijack":
      context.emit({ type: "consume", intentId: intent.id });
      return intent.action === "take" ? hijack(context, intent) : giveBack(context, intent);
    case "complete":
    case "skip":
      return takeByHand(context, intent);
    case "wake":
      context.emit({ type: "consume", intentId: intent.id });
      return wakeSubflow(context, context.state.nodes.get(taskKey(intent)));
    case "unreadable":
      context.emit({ type: "consume", intentId: intent.id });
      return context.event({
        type: "IntentUnreadable",
        intentId: intent.id,
        error: serializeError(intent.error),
      });
    default:
      return intent satisfies never;
  }
}

/** Its child run has moved: the subflow looks at it again. */
function wakeSubflow(context: StepContext, node: NodeRecord | undefined): void {
  if (node?.task?.kind !== "subflow") return;
  // It may be about to wait for a child that has ended since it looked.
  if (node.attempt !== null) node.attempt.woken = true;
  if (!node.row.state.startsWith("waiting-")) return;
  node.row.state = "pending";
  endWaiting(node);
  context.changed(node);
  enqueue(context, node);
}

function requestCancel(context: StepContext, intent: CancelIntent & Pick<InboxPlace, "id">): void {
  const { state } = context;
  context.emit({ type: "consume", intentId: intent.id });
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
    context.emit({ type: "abort", key, attempt: attempt.no, error: attempt.aborting });
  }
}

/** Everything that had not ended is cancelled; called once no attempt is in progress. */
export function cancelRest(context: StepContext): void {
  for (const node of context.state.nodes.values()) {
    if (isTerminalNode(node.row.state)) continue;
    const { row } = node;
    cancelTimer(context, node);
    withdrawApproval(context, node);
    row.state = "cancelled";
    row.dueAtMs = null;
    row.waitingSinceMs = null;
    context.event({ type: "NodeCancelled", nodeId: row.nodeId, iteration: row.iteration });
    context.changed(node);
  }
}

function applyDecision(context: StepContext, intent: DecisionIntent): void {
  const { state } = context;
  const key = taskKey(intent);
  context.emit({ type: "consume", intentId: intent.id });
  const held = decideHold(context, intent);
  if (held === "denied") return requestCancel(context, { id: -1, kind: "cancel", ...denied(intent) });
  if (held !== null) return;
  const request = state.approvals.get(key);
  const node = state.nodes.get(key);
  if (request === undefined || node === undefined || !isOpen(node, request, intent.atMs)) {
    return refuseLate(context, intent, request);
  }
  if (!isAnswer(context, intent, request)) return;
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
  context.emit({ type: "approval", row: decided });
  const isAudited = intent.automatic === true && node.task?.approvalAutoApprove?.audit === true;
  context.event({
    type: isAudited ? "ApprovalAutoApproved" : decision.approved ? "ApprovalGranted" : "ApprovalDenied",
    nodeId: intent.nodeId,
    iteration: intent.iteration,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
  });
  applyDecided(context, node, decided);
}

function isOpen(node: NodeRecord, request: ApprovalRow, atMs: number): boolean {
  return request.decision === null && node.row.state === "waiting-approval" && isInTime(node, atMs);
}

/** Decided, timed out, rewound or cancelled since it was sent: the first answer stands. */
function refuseLate(context: StepContext, intent: DecisionIntent, request: ApprovalRow | undefined): void {
  // No person waits for an answer to a decision that a rule made.
  if (intent.automatic === true) return;
  const { nodeId } = intent;
  const first = request?.decision ?? null;
  const by = first?.decidedBy === undefined ? "" : ` by ${first.decidedBy}`;
  if (first !== null) {
    const message = `${nodeId} was ${first.approved ? "approved" : "denied"}${by} already; this decision does not count.`;
    return refuseDecision(context, intent, { code: "ALREADY_DECIDED", message });
  }
  const message = `${nodeId} waited for no decision any more when this one was taken up; it does not count.`;
  refuseDecision(context, intent, { code: "NODE_NOT_WAITING", message });
}

function denied({ nodeId, decision }: DecisionIntent): Cancellation {
  const note = decision.note === undefined ? "" : `: ${decision.note}`;
  return {
    reason: `${nodeId} was denied${note}`,
    ...(decision.decidedBy !== undefined && { requestedBy: decision.decidedBy }),
  };
}

/** Applies a decision to its node. */
export function applyDecided(context: StepContext, node: NodeRecord, request: ApprovalRow): void {
  const { decision } = request;
  if (decision === null) return;
  const isGate = request.mode === "gate";
  if (decision.approved) {
    node.row.state = "pending";
    endWaiting(node);
    context.changed(node);
    if (isGate) return enqueue(context, node);
    return resolve(context, node, {
      kind: "decision",
      decision,
      decidedAtMs: request.decidedAtMs ?? context.now,
    });
  }
  const onDeny = isGate ? "fail" : (node.task?.approvalOnDeny ?? "fail");
  switch (onDeny) {
    case "fail": {
      const by = decision.decidedBy === undefined ? "" : ` by ${decision.decidedBy}`;
      const note = decision.note === undefined ? "" : `: ${decision.note}`;
      return failAttemptless(context, node, {
        code: "APPROVAL_DENIED",
        message: `${node.row.nodeId} was denied${by}${note}.`,
      });
    }
    case "continue":
      node.row.state = "pending";
      endWaiting(node);
      context.changed(node);
      return resolve(context, node, {
        kind: "decision",
        decision,
        decidedAtMs: request.decidedAtMs ?? context.now,
      });
    case "skip":
      return skipWithFollowers(context, node);
    default:
      return onDeny satisfies never;
  }
}
