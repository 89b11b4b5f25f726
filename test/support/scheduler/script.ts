import { parseTaskKey, type TaskKey } from "../../../src/model/address.js";
import type { SerializedError } from "../../../src/errors/ensure-error.js";
import type { WaitingStatus } from "../../../src/model/run.js";

/** How one attempt goes. */
export type Outcome = {
  /** Milliseconds it takes. Default 1. */
  after?: number;
  /** Continues when it is asked to stop, instead of failing at once. */
  deaf?: boolean;
} & (
  | { kind: "finish"; cached?: boolean }
  | { kind: "fail"; error?: Partial<SerializedError> }
  | { kind: "quota"; resetAtMs: number }
  | { kind: "skip" }
  /** A subflow whose child run waits. */
  | { kind: "park"; status: WaitingStatus }
  /** Never settles by itself. */
  | { kind: "hang" }
);

/**
 * What attempts do, by task key or node id. A list has one entry per attempt,
 * the last one repeats. Tasks without an entry finish after a millisecond.
 */
export type Script = Record<string, Outcome | readonly Outcome[]>;

export const finish: Outcome = { kind: "finish" };
export const hang: Outcome = { kind: "hang" };

export function finishAfter(after: number): Outcome {
  return { kind: "finish", after };
}

/** A failure with this message, and code if one is given. */
export function fail(message = "boom", code?: string): Outcome {
  return { kind: "fail", error: { message, ...(code !== undefined && { code }) } };
}

export function outcomeOf(script: Script, key: TaskKey, attempt: number): Outcome {
  const entry = script[key] ?? script[parseTaskKey(key).nodeId] ?? finish;
  if (!isList(entry)) return entry;
  return entry[Math.min(attempt, entry.length) - 1] ?? finish;
}

export function errorOf(outcome: Extract<Outcome, { kind: "fail" }>): SerializedError {
  return { name: "Error", message: "boom", ...outcome.error };
}

function isList(entry: Outcome | readonly Outcome[]): entry is readonly Outcome[] {
  return Array.isArray(entry);
}
