import { checkOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { RUN_STATUSES, RUN_WAITS, type RunDecider, type RunStatus, type RunWait } from "../../model/run.js";
import type { RunTimeFilter } from "../../store/index.js";
import { decider } from "../request/decider-rule.js";
import { annotations, searchedText } from "../request/run-choice-rules.js";
import { type OperationTarget, storeOf } from "../request/target.js";

/** Which runs to count by the time at which they were made. */
export interface RunHistogramFilter {
  /** Statuses that are counted. @default all */
  statuses?: RunStatus[];
  /** The name on `<Workflow>`. @default all */
  workflowName?: string;
  /** Only runs that have failed, or of which a task has; also those that ended well all the same. @default all */
  withFailures?: boolean;
  /** Only runs that have not ended and wait for one of these, as a whole or with a task. @default all */
  waitsFor?: RunWait[];
  /** Only runs with a request without an answer that this person may decide. @default all */
  decidableBy?: RunDecider;
  /** As `RunListFilter` has it. @default all */
  text?: string;
  /** As `RunListFilter` has it. @default all */
  annotations?: Record<string, string | number | boolean>;
  /** Begin, epoch milliseconds. @default when the oldest of the runs was made */
  createdAfterMs?: number;
  /** End, epoch milliseconds. @default now */
  createdBeforeMs?: number;
  /** Spans of time at most, up to 500. @default 60 */
  bars?: number;
}

/** Runs that were made in one span of time. */
export interface RunHistogramBar {
  /** Where it begins, epoch milliseconds. */
  startMs: number;
  /** Where it ends: the begin of the next one. */
  endMs: number;
  /** How many runs there are in each status; those without one are left out. */
  counts: Partial<Record<RunStatus, number>>;
}

/** Runs by the time at which they were made: all that fit, not those of a page. */
export interface RunHistogram {
  /** Oldest first, without a gap, each as long as the others. Empty where no time is given and there is no run. */
  bars: RunHistogramBar[];
  /** Of all bars together. */
  counts: Partial<Record<RunStatus, number>>;
}

const MOST_BARS = 500;

const RULES = {
  statuses: rules.someOf(RUN_STATUSES),
  workflowName: rules.name,
  withFailures: rules.flag,
  waitsFor: rules.someOf(RUN_WAITS),
  decidableBy: decider,
  text: searchedText,
  annotations,
  createdAfterMs: rules.milliseconds,
  createdBeforeMs: rules.milliseconds,
  bars: rules.withDefault(rules.positiveInteger, 60),
} satisfies rules.OptionRules<RunHistogramFilter>;

/**
 * Counts the runs of the databases by the time at which they were made, in spans that are round on the clock.
 * @param nowMs the end, where none is given
 * @throws INVALID_INPUT for a filter that is unknown or not as described
 */
export async function runHistogram(
  targets: readonly OperationTarget[],
  filter: RunHistogramFilter,
  nowMs: number,
): Promise<RunHistogram> {
  const { bars: most, ...wanted } = checkOptions("runHistogram", filter, RULES);
  if (most > MOST_BARS) refuseOption("bars", `at most ${MOST_BARS}`, most);
  const stores = await Promise.all(targets.map(storeOf));
  // The run that has just been made belongs to it.
  const endMs = wanted.createdBeforeMs ?? nowMs + 1;
  const within: RunTimeFilter = { ...wanted, createdBeforeMs: endMs };
  const startMs =
    wanted.createdAfterMs ??
    earliest(await Promise.all(stores.map(async (store) => store.oldestRun(within))));
  if (startMs === undefined || startMs >= endMs) return { bars: [], counts: {} };
  const stepMs = stepOf(startMs, endMs, most);
  const bars = emptyBars(startMs, endMs, stepMs);
  const counts: RunHistogram["counts"] = {};
  for (const store of stores) {
    for (const group of await store.countRunsByTime({ ...within, createdAfterMs: startMs }, stepMs)) {
      const { status, count } = group;
      const bar = bars[(group.startMs - (bars[0]?.startMs ?? 0)) / stepMs];
      for (const sums of [counts, bar?.counts ?? {}]) sums[status] = (sums[status] ?? 0) + count;
    }
  }
  return { bars, counts };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Lengths that are round on a clock; longer ones are whole weeks. */
const STEPS = [
  ...[1, 5, 15, 30].map((n) => n * SECOND),
  ...[1, 5, 15, 30].map((n) => n * MINUTE),
  ...[1, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7].map((n) => n * DAY),
];

function stepOf(startMs: number, endMs: number, most: number): number {
  const fits = (step: number) => Math.ceil(endMs / step) - Math.floor(startMs / step) <= most;
  const round = STEPS.find(fits);
  if (round !== undefined) return round;
  const week = 7 * DAY;
  let weeks = Math.max(2, Math.ceil((endMs - startMs) / week / most));
  while (!fits(weeks * week)) weeks += 1;
  return weeks * week;
}

function emptyBars(startMs: number, endMs: number, stepMs: number): RunHistogramBar[] {
  const bars: RunHistogramBar[] = [];
  for (let at = Math.floor(startMs / stepMs) * stepMs; at < endMs; at += stepMs) {
    bars.push({ startMs: at, endMs: at + stepMs, counts: {} });
  }
  return bars;
}
