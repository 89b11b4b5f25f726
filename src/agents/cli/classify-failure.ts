import { ServiceError } from "../../errors/service-error.js";
import { shorten } from "../../util/bounded-text.js";
import type { Redactor } from "../../util/redactor.js";
import { COMMON_FAILURES, type FailureKind, type FailurePattern, kindOfStatus } from "./failure-patterns.js";
import { quotaResetAt } from "./reset-time.js";
import { significantLine } from "./significant-line.js";

/** One thing that a tool said went wrong. */
export interface ToolComplaint {
  message: string;
  /** HTTP status of the model provider, when the tool tells. */
  status?: number | undefined;
  /** Epoch milliseconds. */
  resetAtMs?: number | undefined;
  /** The kind, when the tool gives it in a field of its own rather than in words. */
  kind?: FailureKind | undefined;
}

export interface FailureFacts {
  agentId: string;
  engine: string;
  title: string;
  /** Null when the process did not end by itself. */
  exitCode: number | null;
  killedBy?: string | null;
  /** Statements of the tool, the decisive one last. */
  complaints: readonly ToolComplaint[];
  /** Lines of stderr, for people. */
  stderr: string;
  /** Last lines of stderr that can have to do with the failure. */
  recentStderr: string;
  /** Last lines of stdout that are not part of its protocol. */
  stray: string;
  sessionId?: string | undefined;
  patterns: readonly FailurePattern[];
  exitKinds: Readonly<Record<number, FailureKind>>;
  nowMs: number;
  redactor: Redactor;
}

/**
 * The error of a tool that failed: AGENT_QUOTA_EXCEEDED, AGENT_CONFIG_INVALID or AGENT_CLI_ERROR, with
 * `details.reason` for those who want to know more exactly.
 */
export function failureOf(facts: FailureFacts): ServiceError {
  const verdict = judge(facts);
  const { code, says, retryable } = CONSEQUENCES[verdict.kind ?? "unknown"];
  const details: Record<string, unknown> = {
    agentId: facts.agentId,
    engine: facts.engine,
    exitCode: facts.exitCode,
    ...(facts.killedBy != null && { signal: facts.killedBy }),
    ...(verdict.kind !== undefined && { reason: verdict.kind }),
    ...(facts.sessionId !== undefined && { sessionId: facts.sessionId }),
    ...(facts.stderr !== "" && { stderr: facts.redactor.diagnostic(facts.stderr) }),
  };
  if (code === "AGENT_QUOTA_EXCEEDED") {
    const resetAtMs = verdict.resetAtMs ?? resetIn(facts, verdict.text);
    if (resetAtMs !== undefined) details["resetAtMs"] = resetAtMs;
  }
  const text = sentence(facts.redactor.diagnostic(verdict.text)) || exitSentence(facts);
  return new ServiceError(code, `${facts.title} (agent "${facts.agentId}") ${says}: ${text}`, {
    details,
    ...(retryable !== undefined && { retryable }),
  });
}

/** The kind of one complaint; undefined for an unknown one. */
export function kindOfComplaint(
  { kind, message, status }: ToolComplaint,
  patterns: readonly FailurePattern[],
): FailureKind | undefined {
  return kind ?? kindOf(message, status, patterns);
}

interface Consequence {
  code: "AGENT_QUOTA_EXCEEDED" | "AGENT_CONFIG_INVALID" | "AGENT_REFUSED" | "AGENT_CLI_ERROR";
  says: string;
  retryable?: boolean;
}

const CONSEQUENCES: Readonly<Record<FailureKind | "unknown", Consequence>> = {
  quota: { code: "AGENT_QUOTA_EXCEEDED", says: "has reached its usage limit" },
  auth: { code: "AGENT_CONFIG_INVALID", says: "is not signed in or its key is refused" },
  flag: { code: "AGENT_CONFIG_INVALID", says: "does not take an option" },
  model: { code: "AGENT_CONFIG_INVALID", says: "cannot use its model" },
  session: { code: "AGENT_CLI_ERROR", says: "cannot continue its session" },
  limit: { code: "AGENT_CLI_ERROR", says: "stopped at a limit of its options", retryable: false },
  refused: { code: "AGENT_REFUSED", says: "refuses to answer" },
  transient: { code: "AGENT_CLI_ERROR", says: "failed" },
  unknown: { code: "AGENT_CLI_ERROR", says: "failed" },
};

function judge(facts: FailureFacts): {
  kind: FailureKind | undefined;
  text: string;
  resetAtMs?: number | undefined;
} {
  const { complaints, patterns, exitCode, exitKinds, recentStderr, stray } = facts;
  for (const complaint of complaints.toReversed()) {
    const kind = kindOfComplaint(complaint, patterns);
    if (kind !== undefined) return { kind, text: complaint.message, resetAtMs: complaint.resetAtMs };
  }
  const stated = complaints.at(-1)?.message;
  // Lines beside the protocol may come from anything that the agent ran, so they count only where the
  // tool states nothing; the last of them tell the most.
  const telling = significantLine(recentStderr) ?? significantLine(stray) ?? "";
  const last = [...stray.split("\n"), ...recentStderr.split("\n")].toReversed();
  const lines = stated === undefined ? [telling, ...last] : [];
  for (const line of lines) {
    const kind = kindOf(line, undefined, patterns);
    if (kind !== undefined) return { kind, text: line };
  }
  return { kind: exitCode === null ? undefined : exitKinds[exitCode], text: stated ?? telling };
}

function kindOf(
  text: string,
  status: number | undefined,
  patterns: readonly FailurePattern[],
): FailureKind | undefined {
  const own = patterns.find(({ pattern }) => pattern.test(text));
  if (own !== undefined) return own.kind;
  const reported = status === undefined ? undefined : kindOfStatus(status);
  return reported ?? COMMON_FAILURES.find(({ pattern }) => pattern.test(text))?.kind;
}

function resetIn({ complaints, recentStderr, stray, nowMs }: FailureFacts, text: string): number | undefined {
  for (const source of [
    text,
    ...complaints.map(({ message }) => message).toReversed(),
    recentStderr,
    stray,
  ]) {
    const atMs = quotaResetAt(source, nowMs);
    if (atMs !== undefined) return atMs;
  }
  return undefined;
}

/** Longest part of a tool's message that is kept, in characters. */
const LONGEST_TEXT = 500;

function sentence(text: string): string {
  const cut = shorten(text.replace(/\s+/g, " ").trim(), LONGEST_TEXT);
  return cut === "" || /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

function exitSentence({ exitCode, killedBy }: FailureFacts): string {
  if (killedBy != null) return `it was ended by ${killedBy}.`;
  return exitCode === 0 ? "it ended without an answer." : `it exited with code ${exitCode} and said nothing.`;
}
