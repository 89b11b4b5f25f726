import { taskKey } from "../model/address.js";
import { type ApprovalRow, requestHashOf, whyNotDecide } from "../model/approval.js";
import type { EventBody } from "../model/events.js";
import type { DecisionIntent } from "./intents.js";
import type { StepContext } from "./step-context.js";

type RequestEvent = Extract<EventBody, { type: "ApprovalRequested" | "ApprovalRequestChanged" }>;

/** A request as it is put to people. */
export function askedFor(
  question: Pick<
    ApprovalRow,
    "nodeId" | "iteration" | "mode" | "request" | "options" | "allowedScopes" | "allowedUsers"
  >,
  now: number,
): ApprovalRow {
  return {
    ...question,
    runId: "",
    status: "requested",
    requestHash: requestHashOf(question),
    requestedAtMs: now,
    decidedAtMs: null,
    decision: null,
    autoApproved: false,
  };
}

/** Tells the store and the log what is asked now. */
export function askPeople(context: StepContext, type: RequestEvent["type"], row: ApprovalRow): void {
  const { nodeId, iteration, request, requestHash, options } = row;
  context.state.approvals.set(taskKey({ nodeId, iteration }), row);
  context.emit({ type: "approval", row });
  context.event({
    type,
    nodeId,
    iteration,
    title: request.title,
    requestHash,
    request: { ...request },
    ...(options !== null && { options: options.map((option) => ({ ...option })) }),
  });
}

/**
 * Whether a decision may be taken up: it answers what is asked now, and its decider may. The
 * sender got the same check; since then the tree may ask something else.
 */
export function isAnswer(context: StepContext, intent: DecisionIntent, row: ApprovalRow): boolean {
  if (intent.automatic === true) return true;
  const refusal = whyRefused(intent, row);
  if (refusal === null) return true;
  refuseDecision(context, intent, { ...refusal, asked: { ...row.request } });
  return false;
}

type Refusal = Pick<Extract<EventBody, { type: "DecisionRefused" }>, "code" | "message" | "asked">;

/** The sender knows only that it is kept; that it does not count is written to the log. */
export function refuseDecision(context: StepContext, intent: DecisionIntent, refusal: Refusal): void {
  const { nodeId, iteration, decision, shown } = intent;
  context.event({
    type: "DecisionRefused",
    nodeId,
    iteration,
    ...refusal,
    approved: decision.approved,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision.note !== undefined && { note: decision.note }),
    ...(shown !== undefined && { shown }),
  });
}

function whyRefused(
  { nodeId, requestHash, decision, scopes, shown }: DecisionIntent,
  row: ApprovalRow,
): { code: "REQUEST_CHANGED" | "FORBIDDEN"; message: string } | null {
  if (requestHash !== row.requestHash) {
    const was = shown === undefined ? "another question" : `"${shown.title}"`;
    return {
      code: "REQUEST_CHANGED",
      message: `${nodeId} asks "${row.request.title}" by now; the decision was on ${was} and does not count.`,
    };
  }
  const why = whyNotDecide(row, { decidedBy: decision.decidedBy, scopes });
  return why === null ? null : { code: "FORBIDDEN", message: `${nodeId} cannot be decided so: ${why}.` };
}
