import type { RunAuthContext } from "../../model/run-auth.js";
import type { Occurrence, Schedule } from "../../model/schedule.js";

/** Who runs belong to that a schedule has started by itself. */
function cronAuth(nowMs: number): RunAuthContext {
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
    // Every start of it, by any process, starts the same run.
    runId: `cron:${cronId}:${new Date(scheduledAtMs).toISOString()}`,
    isOpen: true,
    reason: null,
    error: null,
    ...given,
  };
}

const WHY = {
  unseen: "missed: no gateway with this workflow looked within a minute",
  late: "passed over for the newest: the gateway was busy, or away for less than a minute",
} as const;

/** `unseen`: no process looked within a minute; `late`: one did, when a newer one had come. */
export type MissedReason = keyof typeof WHY;

/** The times left out for one reason, newest first: one row for all of them, at the newest; none for none. */
export function missedOccurrence(
  schedule: Schedule,
  missed: readonly number[],
  { nowMs, why, isAll }: { nowMs: number; why: MissedReason; isAll: boolean },
): Occurrence[] {
  const [newest] = missed;
  if (newest === undefined) return [];
  const isOne = missed.length === 1;
  // The count ends among the oldest, which no process looked at in time.
  const count = `${missed.length}${isAll || why === "late" ? "" : " or more"}`;
  const reason = `${count} ${isOne ? "time was" : "times were"} ${WHY[why]}.`;
  return [
    pendingOccurrence(schedule, newest, {
      nowMs,
      state: "skipped-missed",
      settledAtMs: nowMs,
      input: null,
      runId: null,
      isOpen: false,
      reason,
    }),
  ];
}
