import type { RunRow } from "../../model/run.js";

/** A run that has lost so many processes in a row is driven alone. */
const SEVERAL = 2;

/** After the first death, milliseconds; each further one waits twice as long. */
const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** How long a run is driven alone the first time, milliseconds; each further death doubles it, until it lasts to the next. */
const FIRST_ALONE_MS = 30_000;
const LONGEST_ALONE_MS = 3_600_000;

type Died = Pick<RunRow, "deaths" | "ownerId" | "heartbeatAtMs">;

/** Processes in a row that died while they drove the run, the one that it is still held by included. */
export function deathsOf({ deaths, ownerId }: Died): number {
  return deaths + (ownerId === null ? 0 : 1);
}

/** Null for a run that is driven beside others. */
export function aloneForMs(run: Died): number | null {
  const deaths = deathsOf(run);
  return deaths < SEVERAL ? null : doubled(FIRST_ALONE_MS, deaths - SEVERAL, LONGEST_ALONE_MS);
}

/** Its process has died a moment ago, and by the number of deaths before it will again. */
export function isCoolingOff(run: Died, nowMs: number): boolean {
  return coolUntilMs(run, nowMs) !== null;
}

/** Epoch ms until which it is left as it is; null for a run that may be taken up. */
export function coolUntilMs(run: Died, nowMs: number): number | null {
  const deaths = deathsOf(run);
  if (deaths === 0 || run.heartbeatAtMs === null) return null;
  const untilMs = run.heartbeatAtMs + doubled(FIRST_MS, deaths - 1, LONGEST_MS);
  // The future: the clock was set back.
  return nowMs >= run.heartbeatAtMs && nowMs < untilMs ? untilMs : null;
}

function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(times, 30));
}
