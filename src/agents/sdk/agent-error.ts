import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError, type ServiceErrorOptions } from "../../errors/service-error.js";
import { shorten } from "../../util/bounded-text.js";
import { isRecord } from "../../util/is-record.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { type ProviderFailure, readProviderFailure } from "./provider-failure.js";
import { createRedactor } from "../../util/redactor.js";
import { resetTimeOf } from "./reset-time.js";

/** The call's facts for `toAgentError`. */
export interface AgentErrorContext {
  agentId?: string;
  /** Texts that must not appear in the error, such as API keys. */
  secrets?: readonly string[];
  /** @default systemClock */
  clock?: Clock;
}

/** Codes by which an agent of the author's own may say that another one is to be asked instead. */
const NEXT_PLEASE = ["AGENT_QUOTA_EXCEEDED", "AGENT_REFUSED"] as const;

/**
 * The ServiceError of something an AI SDK call threw: AGENT_QUOTA_EXCEEDED with
 * `details.resetAtMs` when known, AGENT_CONFIG_INVALID for refused credentials, models and
 * settings, AGENT_PROVIDER_ERROR for the rest; of any error that says AGENT_QUOTA_EXCEEDED or
 * AGENT_REFUSED itself, the same with the agent's id. Errors of other origin come back as they are.
 *
 * The original is not kept as `cause`: it holds the request, its headers and the prompt.
 */
export function toAgentError(thrown: unknown, context: AgentErrorContext = {}): Error {
  const own = toPassingError(thrown, context);
  if (own !== undefined) return own;
  if (ServiceError.is(thrown)) return thrown;
  const failure = readProviderFailure(thrown);
  if (failure === undefined) return ensureError(thrown);
  const verdict = classify(failure);
  const details: Record<string, unknown> = {};
  if (context.agentId !== undefined) details["agentId"] = context.agentId;
  if (failure.status !== undefined) details["status"] = failure.status;
  if (verdict.code === "AGENT_QUOTA_EXCEEDED") {
    const { headers, text } = failure;
    const resetAtMs = resetTimeOf({ headers, text, nowMs: (context.clock ?? systemClock).now() });
    if (resetAtMs !== undefined) details["resetAtMs"] = Math.round(resetAtMs);
  }
  const options: ServiceErrorOptions = { details };
  if (verdict.retryable !== undefined) options.retryable = verdict.retryable;
  return new ServiceError(verdict.code, sentenceOf({ failure, says: verdict.says, context }), options);
}

/** The ServiceError of an error that says so itself, with the agent's id. Undefined for any other. */
export function toPassingError(thrown: unknown, { agentId }: AgentErrorContext): ServiceError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code: said, details: given, summary = thrown.message } = thrown as Partial<ServiceError>;
  const code = NEXT_PLEASE.find((known) => known === said);
  if (code === undefined) return undefined;
  const details = isRecord(given) ? given : {};
  const isComplete = agentId === undefined || details["agentId"] !== undefined;
  if (ServiceError.is(thrown) && isComplete) return thrown;
  return new ServiceError(code, summary, {
    details: { ...(agentId !== undefined && { agentId }), ...details },
    cause: thrown,
  });
}

interface Verdict {
  code: "AGENT_QUOTA_EXCEEDED" | "AGENT_CONFIG_INVALID" | "AGENT_PROVIDER_ERROR" | "TASK_TIMEOUT";
  /** Follows the name of the agent. */
  says: string;
  retryable?: boolean;
}

/** Wording of exhausted budgets, which providers send under 400, 402, 403 and 429 alike. */
const QUOTA_TEXT =
  /insufficient[_ ]quota|exceeded your current quota|quota (?:was |is |has been )?(?:exceeded|exhausted|reached)|credit balance|out of credits|insufficient (?:credits|funds|balance)|usage limit|rate[_ ]limit|too many requests|resource[_ ]exhausted/i;
const CREDENTIAL_TEXT = /authentication_error|permission_error|invalid[_ ]api[_ ]key|incorrect api key/i;
/** Sent with 400, 403 and 404 alike, and without any status as an event of a stream. */
const MODEL_TEXT =
  /model_not_found|not_found_error|unknown[_ ]model|no such model|\bmodel\b[^.\n]{0,80}(?:does not exist|not found)/i;
const REQUEST_TEXT = /invalid_request_error/i;

function classify(failure: ProviderFailure): Verdict {
  const { kind, status, text } = failure;
  if (kind === "timeout") return { code: "TASK_TIMEOUT", says: "took longer than its `timeout`" };
  if (kind === "config") return { code: "AGENT_CONFIG_INVALID", says: "cannot work as configured" };
  if (kind === "answer") return { code: "AGENT_PROVIDER_ERROR", says: "got no usable answer from its model" };
  // Client errors carry the wording too; a server error that mentions a limit is still an outage.
  const mayBeQuota = status === undefined || status < 500;
  if (status === 429 || status === 402 || (mayBeQuota && QUOTA_TEXT.test(text))) {
    return { code: "AGENT_QUOTA_EXCEEDED", says: "has reached its provider's limit" };
  }
  if (status === 404 || (mayBeQuota && MODEL_TEXT.test(text))) {
    return {
      code: "AGENT_CONFIG_INVALID",
      says: "names a model or an address that its provider does not know",
    };
  }
  if (status === 401 || status === 403 || CREDENTIAL_TEXT.test(text)) {
    return { code: "AGENT_CONFIG_INVALID", says: "was refused by its provider: check the API key" };
  }
  const isRefused = status === undefined ? REQUEST_TEXT.test(text) : status >= 400 && status < 500;
  if (isRefused && status !== 408 && status !== 409) {
    return {
      code: "AGENT_PROVIDER_ERROR",
      says: "sent a request that its provider refuses",
      retryable: false,
    };
  }
  return { code: "AGENT_PROVIDER_ERROR", says: "got no complete answer from its provider" };
}

/** Longest part of a provider's message that is kept, in characters. */
const LONGEST_TEXT = 500;

function sentenceOf(facts: { failure: ProviderFailure; says: string; context: AgentErrorContext }): string {
  const { failure, says, context } = facts;
  const name = context.agentId === undefined ? "The agent" : `Agent "${context.agentId}"`;
  const status = failure.status === undefined ? "" : ` (HTTP ${failure.status})`;
  const clean = createRedactor(context.secrets ?? []).diagnostic(failure.text);
  const text = shorten(clean.replace(/\s+/g, " ").trim(), LONGEST_TEXT);
  if (text === "") return `${name} ${says}${status}.`;
  return `${name} ${says}${status}: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
}
