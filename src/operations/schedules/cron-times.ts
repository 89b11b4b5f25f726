import { createRequire } from "node:module";
import type { Cron } from "croner";
import { refuseOption } from "../../options/check-options.js";

/** Loaded with the first pattern, not with whatever knows schedules. */
const require = createRequire(import.meta.url);

function loadCroner(): typeof import("croner") {
  return require("croner") as typeof import("croner");
}

/** The times of a pattern in a zone. */
export interface CronTimes {
  /** The next `count` times after the one that is given, epoch milliseconds. */
  next(afterMs: number, count: number): number[];
  /** The newest times up to `untilMs`, newest first, at most `count` and none up to `afterMs`. */
  between(afterMs: number, untilMs: number, count: number): number[];
}

/** Five fields, six with seconds, or a name such as @daily; what else the library reads are dates. */
const PATTERN = /^\s*(?:@[a-z]+|\S+(?:\s+\S+){4,5})\s*$/i;

/**
 * The times of a cron pattern. A time of day that a zone leaves out comes at the first one after it,
 * and one that a zone has twice comes once; what comes at intervals follows the clock on the wall.
 * @param option the caller's name for the pattern
 * @throws INVALID_INPUT naming that or `timeZone`
 */
export function cronTimes(
  { pattern, timeZone }: { pattern: string; timeZone: string },
  option = "pattern",
): CronTimes {
  checkTimeZone(timeZone);
  const cron = parse(pattern, { timeZone, option });
  const toMs = (times: Date[]) => times.map((time) => time.getTime());
  return {
    next: (afterMs, count) => toMs(cron.nextRuns(count, new Date(afterMs))),
    // The library looks before the time that it is given.
    between: (afterMs, untilMs, count) =>
      toMs(cron.previousRuns(count, new Date(untilMs + 1))).filter((time) => time > afterMs),
  };
}

/** As cronTimes, and that it comes at all. */
export function checkPattern(
  settings: { pattern: string; timeZone: string },
  nowMs: number,
  option = "pattern",
): void {
  const [next] = cronTimes(settings, option).next(nowMs, 1);
  if (next === undefined) refuseOption(option, "a cron expression whose time comes", settings.pattern);
}

/** A zone as it is usually written, `Europe/Berlin` for `europe/berlin`; a name that stands for another zone stays. */
export function spelledZone(timeZone: string): string {
  const { timeZone: known } = new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions();
  return known.toLowerCase() === timeZone.toLowerCase() ? known : timeZone;
}

function checkTimeZone(timeZone: string): void {
  try {
    if (typeof timeZone === "string" && timeZone !== "") {
      new Intl.DateTimeFormat("en", { timeZone });
      if (/^[A-Za-z]/.test(timeZone)) return;
    }
  } catch {
    // Refused below.
  }
  refuseOption("timeZone", "the IANA name of a time zone, such as Europe/Berlin", timeZone);
}

function parse(pattern: string, { timeZone, option }: { timeZone: string; option: string }): Cron {
  const expected =
    "a cron expression of five fields (minute hour day month weekday), or six with seconds first";
  if (typeof pattern !== "string" || !PATTERN.test(pattern)) refuseOption(option, expected, pattern);
  try {
    return new (loadCroner().Cron)(pattern, {
      paused: true,
      timezone: timeZone,
      mode: "5-or-6-parts",
      // Lists and ranges of hours are times of day as well.
      fixedTimeRule: "no-wildcard",
    });
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "it cannot be read";
    return refuseOption(option, `${expected} (${why})`, pattern);
  }
}
