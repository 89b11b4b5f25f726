import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { NewestScore, ScoreTrendRow } from "../store/index.js";
import { type OperationTarget, storeOf } from "./request/target.js";

/** Which scores are put together. */
export interface ScoreTrendsFilter {
  /** Epoch milliseconds: only scores of tasks that finished later. */
  sinceMs: number;
  /** The name on `<Workflow>`. @default all */
  workflowName?: string;
  /** Spans of time at most, up to 200. @default 30 */
  spans?: number;
}

/** Scores of one span of time. */
export interface ScoreSpan {
  /** Where it begins, epoch milliseconds. */
  startMs: number;
  count: number;
  mean: number;
}

/** The scores of one scorer in the runs of one workflow. */
export interface ScoreTrend {
  workflowName: string;
  scorerId: string;
  scorerName: string;
  count: number;
  mean: number;
  min: number;
  max: number;
  /** Oldest first; spans without a score are left out. */
  spans: ScoreSpan[];
}

export interface ScoreTrends {
  /** By workflow and scorer. */
  trends: ScoreTrend[];
  /** The newest 50 of these scores, newest first. */
  newest: NewestScore[];
  /** How long a span is, milliseconds. */
  stepMs: number;
}

const NEWEST = 50;
const MOST_SPANS = 200;
const MINUTE_MS = 60_000;

const RULES = {
  sinceMs: rules.required(rules.milliseconds),
  workflowName: rules.name,
  spans: rules.withDefault(rules.positiveInteger, 30),
} satisfies rules.OptionRules<ScoreTrendsFilter>;

/**
 * Scores across runs, put together by the databases. All of them count, also those that a reset or a later
 * attempt has replaced: this is how the scorer judged over time.
 * @throws INVALID_INPUT
 */
export async function scoreTrends(
  targets: readonly OperationTarget[],
  filter: ScoreTrendsFilter,
  nowMs: number,
): Promise<ScoreTrends> {
  const { spans, ...wanted } = checkOptions("scoreTrends", filter, RULES);
  if (spans > MOST_SPANS) refuseOption("spans", `at most ${MOST_SPANS}`, spans);
  const stepMs = Math.max(MINUTE_MS, Math.ceil((nowMs + 1 - wanted.sinceMs) / spans / MINUTE_MS) * MINUTE_MS);
  const found = new Map<string, ScoreTrendRow[]>();
  const newest: NewestScore[] = [];
  for (const target of targets) {
    const store = await storeOf(target);
    newest.push(...(await store.newestScores(wanted, NEWEST)));
    for (const row of await store.scoreTrend(wanted, stepMs)) {
      const key = JSON.stringify([row.workflowName, row.scorerId]);
      found.set(key, [...(found.get(key) ?? []), row]);
    }
  }
  const trends = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => trendOf(rows));
  newest.sort((a, b) => b.sampledAtMs - a.sampledAtMs);
  return { trends, newest: newest.slice(0, NEWEST), stepMs };
}

function trendOf(rows: readonly ScoreTrendRow[]): ScoreTrend {
  const { workflowName, scorerId, scorerName } = rows.at(-1) as ScoreTrendRow;
  const spans = new Map<number, { count: number; sum: number }>();
  let count = 0;
  let sum = 0;
  for (const row of rows) {
    const before = spans.get(row.startMs) ?? { count: 0, sum: 0 };
    spans.set(row.startMs, { count: before.count + row.count, sum: before.sum + row.sum });
    count += row.count;
    sum += row.sum;
  }
  return {
    workflowName,
    scorerId,
    scorerName,
    count,
    mean: sum / count,
    min: Math.min(...rows.map(({ min }) => min)),
    max: Math.max(...rows.map(({ max }) => max)),
    spans: [...spans.entries()]
      .sort(([a], [b]) => a - b)
      .map(([startMs, span]) => ({ startMs, count: span.count, mean: span.sum / span.count })),
  };
}
