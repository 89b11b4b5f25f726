import type { SerializedError } from "../errors/ensure-error.js";
import { isRetryable } from "../errors/ensure-error.js";
import type { NodeRow } from "../model/node.js";
import type { RetryPolicy, TaskDescriptor, TaskKind } from "../model/task.js";

/** Delays never exceed five minutes. */
const LONGEST_BACKOFF_MS = 300_000;

/** Without a policy, retries back off exponentially from one second. */
const DEFAULT_BACKOFF = { backoff: "exponential", initialDelayMs: 1_000 } as const;

const DEFAULT_IDENTICAL_FAILURES = 10;

/** Milliseconds before the attempt that follows the `failures`-th failure. */
export function backoffMs(policy: RetryPolicy | undefined, failures: number): number {
  const base = policy === undefined ? DEFAULT_BACKOFF.initialDelayMs : (policy.initialDelayMs ?? 0);
  const backoff = policy === undefined ? DEFAULT_BACKOFF.backoff : (policy.backoff ?? "fixed");
  switch (backoff) {
    case "fixed":
      return Math.min(base, LONGEST_BACKOFF_MS);
    case "linear":
      return Math.min(base * failures, LONGEST_BACKOFF_MS);
    case "exponential":
      // 2^40 ms is beyond any cap; the bound keeps the power finite.
      return Math.min(base * 2 ** Math.min(failures - 1, 40), LONGEST_BACKOFF_MS);
    default:
      return backoff satisfies never;
  }
}

export type RetryDecision = { kind: "retry"; delayMs: number } | { kind: "give-up"; error: SerializedError };

/** Whether a failed attempt is followed by another. `row` already counts this failure. */
export function decideRetry(task: TaskDescriptor, row: NodeRow, error: SerializedError): RetryDecision {
  if (row.failures > retriesOf(task)) return { kind: "give-up", error };
  if (!isRetryable(error) || isProgrammingError(task, error)) return { kind: "give-up", error };
  if (error.code === "INVALID_OUTPUT" && isDeterministic(task.kind)) {
    return { kind: "give-up", error };
  }
  const limit = task.retryPolicy?.maxIdenticalFailures ?? DEFAULT_IDENTICAL_FAILURES;
  if (limit > 0 && row.identicalFailures >= limit) {
    return {
      kind: "give-up",
      error: {
        name: "ServiceError",
        code: "RETRY_STORM",
        message: `Task ${row.nodeId} failed ${row.identicalFailures} times in a row with the same error: ${error.message}`,
        details: { nodeId: row.nodeId, iteration: row.iteration, attempt: row.lastAttempt },
        retryable: false,
        cause: error,
      },
    };
  }
  return { kind: "retry", delayMs: backoffMs(task.retryPolicy, row.failures) };
}

/** Waiting for a person or an event again has to be asked for: unlimited retries mean none there. */
function retriesOf(task: TaskDescriptor): number {
  const waits = task.kind === "approval" || task.kind === "event" || task.kind === "timer";
  return waits && task.retries === Number.POSITIVE_INFINITY ? 0 : task.retries;
}

/** The same input gives the same wrong row again. People, agents and runs of other workflows may answer better. */
function isDeterministic(kind: TaskKind): boolean {
  return kind !== "agent" && kind !== "human" && kind !== "subflow" && kind !== "sandbox";
}

const PROGRAMMING_ERRORS = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError"]);

/** Messages of `fetch` about a connection that is not made or breaks, and of `JSON.parse` about a wrong answer. */
const NETWORK_MESSAGE = /^(?:fetch failed|terminated)$/;
const JSON_MESSAGE = /\bJSON\b/;

/**
 * A mistake of the author's own code is there again at the next attempt. A coded cause is trouble from
 * outside that was passed on, as when `fetch` has not reached its host. Under an agent, a package that
 * speaks to a provider throws such errors too, and an answer that is no JSON is the model's mistake.
 */
function isProgrammingError(task: TaskDescriptor, error: SerializedError): boolean {
  const { name, message, retryable, cause, frame } = error;
  if (!PROGRAMMING_ERRORS.has(name) || retryable !== undefined) return false;
  if (cause?.code !== undefined || NETWORK_MESSAGE.test(message)) return false;
  if (task.kind !== "agent") return true;
  return frame !== undefined && !(name === "SyntaxError" && JSON_MESSAGE.test(message));
}

/** Equal for failures that are the same to a reader: numbers and ids in the message do not count. */
export function failureFingerprint(error: SerializedError): string {
  return `${error.code ?? error.name}:${error.message.replace(/[0-9a-f]{8,}|\d+/gi, "#").slice(0, 300)}`;
}
