import type { RunAuthContext } from "../../model/run.js";
import type { Occurrence, Schedule } from "../../model/schedule.js";

/** Who runs belong to that a schedule has started by itself. */
export function cronAuth(nowMs: number): RunAuthContext {
  return {
    triggeredBy: "cron:gateway",
    role: "system",
    scopes: ["*"],
    createdAt: new Date(nowMs).toISOString(),
  };
}

/** An occurrence that is about to be started. */
export function pendingOccurrence(
  { cronId, input }: Schedule,
  scheduledAtMs: number,
  { nowMs, ...given }: { nowMs: number } & Partial<Occurrence>,
): Occurrence {
  return {
    cronId,
    scheduledAtMs,
    trigger: "schedule",
    state: "pending",
    recordedAtMs: nowMs,
    settledAtMs: null,
    auth: cronAuth(nowMs),
    input,
    // Whoever starts it, and however often, starts the same run.
    runId: `cron:${cronId}:${new Date(scheduledAtMs).toISOString()}`,
    isOpen: true,
    reason: null,
    error: null,
    ...given,
  };
}

/** What nobody was there for: one row for all of them, at the newest. */
export function missedOccurrence(
  schedule: Schedule,
  missed: readonly [newest: number, ...older: number[]],
  { nowMs, most }: { nowMs: number; most: number },
): Occurrence {
  const [newest] = missed;
  const times =
    missed.length === 1
      ? "1 time was"
      : `${missed.length}${missed.length >= most ? " or more" : ""} times were`;
  return pendingOccurrence(schedule, newest, {
    nowMs,
    state: "skipped-missed",
    settledAtMs: nowMs,
    input: null,
    runId: null,
    isOpen: false,
    reason: `${times} missed: no gateway with this workflow was there.`,
  });
}
