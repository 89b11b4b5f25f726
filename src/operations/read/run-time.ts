import type { RunRow } from "../../model/run.js";
import type { AttemptTimes } from "../../store/index.js";

/** Where the time of a run went, milliseconds from its start to its end, or until now. */
export interface RunTime {
  /** At least one task was at work. */
  workedMs: number;
  /** None was: it waited for people, signals, timers, quota, or for a process to drive it. */
  waitedMs: number;
}

/** @param attempts in the order in which they began */
export function runTime(run: RunRow, attempts: readonly AttemptTimes[], nowMs: number): RunTime {
  const startMs = run.startedAtMs;
  if (startMs === null) return { workedMs: 0, waitedMs: 0 };
  const endMs = Math.max(startMs, run.finishedAtMs ?? nowMs);
  // Nothing of a run is at work while no process drives it: what was under way ended with its last sign of life.
  const openMs = run.ownerId === null ? (run.heartbeatAtMs ?? endMs) : endMs;
  let workedMs = 0;
  let reachedMs = startMs;
  for (const { startedAtMs, finishedAtMs } of attempts) {
    const until = Math.min(endMs, finishedAtMs ?? openMs);
    if (until <= reachedMs) continue;
    workedMs += until - Math.max(reachedMs, startedAtMs);
    reachedMs = until;
  }
  return { workedMs, waitedMs: endMs - startMs - workedMs };
}
