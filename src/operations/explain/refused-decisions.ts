import { hasTaskPlace, taskKey } from "../../model/address.js";
import type { ApprovalRequest } from "../../model/approval.js";
import type { Store } from "../../store/index.js";

/** A decision that did not count when it was taken up, since the node asked something else by then or who made it may not. */
export interface RefusedDecision {
  /** Epoch ms. */
  atMs: number;
  /** Another question was asked by then, its maker may not decide, or the node waited for none at that moment. */
  code: "REQUEST_CHANGED" | "FORBIDDEN" | "NODE_NOT_WAITING";
  /** The same in a sentence; names both questions where there are two. */
  message: string;
  /** The answer. */
  approved: boolean;
  /** Who made it; absent when no name was given. */
  decidedBy?: string;
  /** The question that was decided, where it is known. */
  shown?: ApprovalRequest;
  /** The node's question when the decision was refused; absent when it asked nothing. */
  asked?: ApprovalRequest;
}

/** Refusals of a request, newest first. */
export type RefusalsOf = (nodeId: string, iteration: number) => RefusedDecision[];

export const noRefusals: RefusalsOf = () => [];

/** Ends of the requests before the one that is open: earlier refusals do not matter any more. */
const ANSWERS = ["ApprovalGranted", "ApprovalAutoApproved", "ApprovalDenied", "ApprovalTimedOut"] as const;

/** Events that are looked through. */
const MOST_EVENTS = 1_000;

/** The decisions on the open requests of a run that were refused when they were taken up. */
export async function refusedDecisions(store: Store, runId: string): Promise<RefusalsOf> {
  const found = new Map<string, RefusedDecision[]>();
  const answered = new Set<string>();
  const types = ["DecisionRefused" as const, ...ANSWERS];
  for (const { event } of await store.listEvents(runId, {
    types,
    limit: MOST_EVENTS,
    descending: true,
  })) {
    if (!hasTaskPlace(event)) continue;
    const key = taskKey(event);
    if (event.type !== "DecisionRefused") {
      answered.add(key);
      continue;
    }
    // The first answer stands, and ended the request.
    if (answered.has(key) || event.code === "ALREADY_DECIDED") continue;
    const { code, message, approved, decidedBy, shown, asked } = event;
    const refusal: RefusedDecision = {
      atMs: event.timestampMs,
      code,
      message,
      approved,
      ...(decidedBy !== undefined && { decidedBy }),
      ...(shown !== undefined && { shown }),
      ...(asked !== undefined && { asked }),
    };
    found.set(key, [...(found.get(key) ?? []), refusal]);
  }
  return (nodeId, iteration) => found.get(taskKey({ nodeId, iteration })) ?? [];
}
