import { sha256Hex } from "../util/hash.js";
import { stableJson } from "../util/stable-json.js";
import type { ApprovalDecision } from "./intent.js";

export const APPROVAL_MODES = ["gate", "decision", "select", "rank"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];
export const APPROVAL_STATUSES = ["requested", "approved", "denied", "withdrawn"] as const;
export type OnDeny = "fail" | "continue" | "skip";

/** The request as the person who decides sees it. */
export interface ApprovalRequest {
  /** One line. */
  title: string;
  /** More words, if one line is not enough. */
  summary?: string;
  /** JSON for programs that show the request; not interpreted. */
  metadata?: Record<string, unknown>;
  /** The answer is a row (`data` of the decision), not a yes or no. */
  asksForData?: boolean;
}

/** One of the answers of the modes `select` and `rank`. */
export interface ApprovalOption {
  key: string;
  /** Shown to people. */
  label: string;
  /** More of it, shown below the label. */
  summary?: string;
  /** For the program that reads the answer; plain JSON. */
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
  /** Withdrawn: no decision is needed any more, because of a timeout, a cancel, a skip, or a changed tree. */
  status: (typeof APPROVAL_STATUSES)[number];
  /** `gate`: before a task; the others: what an `Approval` asks for. */
  mode: ApprovalMode;
  /** The request as the person sees it. */
  request: ApprovalRequest;
  /** To choose from, in the modes `select` and `rank`; null otherwise. */
  options: ApprovalOption[] | null;
  /** One of these is needed to decide; null = none is. */
  allowedScopes: string[] | null;
  /** Who may decide; null = everybody. */
  allowedUsers: string[] | null;
  /** SHA-256 of the question: what a decision says that it answers. */
  requestHash: string;
  /** Epoch ms. */
  requestedAtMs: number;
  /** Epoch ms; null before the decision. */
  decidedAtMs: number | null;
  /** The answer; null before the decision. */
  decision: ApprovalDecision | null;
  /** Whether a rule decided, by `autoApprove`. */
  autoApproved: boolean;
}

/** The question and the people it is for: a decision is about this, and about nothing else that the same node may ask later. */
export type Question = Pick<ApprovalRow, "mode" | "request" | "options" | "allowedScopes" | "allowedUsers">;

/** 64 hexadecimal digits. Whole, because who writes a question may try to make two of one hash. */
export function requestHashOf({ mode, request, options, allowedScopes, allowedUsers }: Question): string {
  return sha256Hex(stableJson({ mode, request, options, allowedScopes, allowedUsers }));
}

/**
 * Why a person may not decide; null when they may. Scopes are compared as they are: `*` is no scope that
 * a request names, no matter who holds it.
 */
export function whyNotDecide(
  { allowedUsers, allowedScopes }: Pick<Question, "allowedUsers" | "allowedScopes">,
  { decidedBy, scopes = [] }: { decidedBy?: string | undefined; scopes?: readonly string[] | undefined },
): string | null {
  if (allowedUsers !== null && allowedUsers.length > 0) {
    if (decidedBy === undefined || !allowedUsers.includes(decidedBy)) {
      return `only ${allowedUsers.join(", ")} may decide it`;
    }
  }
  if (allowedScopes === null || allowedScopes.length === 0) return null;
  const has = allowedScopes.some((scope) => scopes.includes(scope));
  return has ? null : `one of the scopes ${allowedScopes.join(", ")} is needed`;
}
