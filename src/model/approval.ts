import type { ApprovalDecision } from "./intent.js";

export type ApprovalMode = "gate" | "decision" | "select" | "rank";
export type OnDeny = "fail" | "continue" | "skip";

export interface ApprovalRequest {
  title: string;
  summary?: string;
  metadata?: Record<string, unknown>;
  /** The answer is a row (`data` of the decision), not a yes or no. */
  asksForData?: boolean;
}

export interface ApprovalOption {
  key: string;
  label: string;
  summary?: string;
  metadata?: Record<string, unknown>;
}

/** Who decides when a rule does. */
export const AUTO_DECIDER = "service:auto";

export interface ApprovalAutoApprove {
  after?: number;
  audit?: boolean;
  conditionMet?: boolean;
  revertOnMet?: boolean;
}

/** One approval request as the store keeps it. */
export interface ApprovalRow {
  runId: string;
  nodeId: string;
  iteration: number;
  /** Withdrawn: nobody has to decide any more, because of a timeout, a cancel, a skip, or a changed tree. */
  status: "requested" | "approved" | "denied" | "withdrawn";
  mode: ApprovalMode;
  request: ApprovalRequest;
  options: ApprovalOption[] | null;
  allowedScopes: string[] | null;
  allowedUsers: string[] | null;
  /** SHA-256 of what the decider was shown. */
  requestHash: string;
  requestedAtMs: number;
  decidedAtMs: number | null;
  decision: ApprovalDecision | null;
  autoApproved: boolean;
}
