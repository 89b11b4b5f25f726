import { isOwned } from "../../engine/index.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import { formatDuration } from "../../util/duration.js";
import { aloneForMs, coolUntilMs, deathsOf } from "../supervise/repeat-deaths.js";

/** The wait of supervisors, gateways and servers before they take up a run whose process has died. */
export interface RunRecovery {
  /** Processes in a row that died while they drove the run. */
  deaths: number;
  /** Epoch ms before which they leave it as it is; null = that time is over. */
  notBeforeMs: number | null;
  /** They drive it only where nothing else is at work. */
  isAlone: boolean;
}

/** Null for a run that is driven or has ended, and where it is taken up at once, beside others. */
export function runRecoveryOf(run: RunRow, nowMs: number): RunRecovery | null {
  if (isTerminal(run.status) || isOwned(run, nowMs)) return null;
  const notBeforeMs = coolUntilMs(run, nowMs);
  const isAlone = aloneForMs(run) !== null;
  return notBeforeMs === null && !isAlone ? null : { deaths: deathsOf(run), notBeforeMs, isAlone };
}

/** One sentence for people. */
export function recoverySummary({ deaths, notBeforeMs, isAlone }: RunRecovery, nowMs: number): string {
  const lost = deaths === 1 ? "A process" : `${deaths} processes in a row`;
  const conditions = [
    ...(notBeforeMs === null ? [] : [`not for another ${formatDuration(notBeforeMs - nowMs)}`]),
    ...(isAlone ? ["only where nothing else is at work, to drive it alone"] : []),
  ];
  return `${lost} died while driving this run, so supervisors, gateways and servers take it up again ${conditions.join(", and ")}.`;
}
