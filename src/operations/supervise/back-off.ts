import { serializeError } from "../../errors/ensure-error.js";
import type { ResumeFailure } from "../../model/run.js";

/** After the first failed try, milliseconds; each further one waits twice as long. */
const FIRST_MS = 1_000;

/** No wait is longer, milliseconds. */
const LONGEST_MS = 300_000;

/** Circumstances that may have changed since a try to continue with a run failed. */
export interface Circumstances {
  nowMs: number;
  /** Entries of the run's inbox that are not consumed: while no process drives the run they only become more. */
  pendingIntents: number;
  /** Changes with the workflow's code; null when it is not known. */
  code: string | null;
}

/** The failure as it is kept: how often in a row, and until when to wait. */
export function nextFailure(
  before: ResumeFailure | undefined,
  error: unknown,
  { nowMs, pendingIntents, code }: Circumstances,
): ResumeFailure {
  const failures = (before?.failures ?? 0) + 1;
  const waitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return {
    failures,
    error: serializeError(error),
    failedAtMs: nowMs,
    retryAtMs: nowMs + waitMs,
    pendingIntents,
    code,
  };
}

/** Its time has come, or something is new: a decision, a signal, other code. */
export function isWorthATry(failure: ResumeFailure, { nowMs, pendingIntents, code }: Circumstances): boolean {
  // Before its own failure: the clock was set back.
  if (nowMs >= failure.retryAtMs || nowMs < failure.failedAtMs) return true;
  return pendingIntents > failure.pendingIntents || (code !== null && code !== failure.code);
}
