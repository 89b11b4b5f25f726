import type { AggregateScore, SampledScore } from "../../model/scorer.js";
import type { ComparedScorer } from "../../scorers/compare-scores.js";
import type { Colors } from "./styles.js";
import { formatTable, oneLine } from "./table.js";
import { taskName } from "./task-name.js";
import { serializedErrorLine } from "./thrown-text.js";

/** Columns of a reason in a table. */
const WIDEST_REASON = 60;

export interface ShownScores {
  scores: readonly SampledScore[];
  summary: readonly AggregateScore[];
  /** There are more than are shown. */
  isCut: boolean;
}

/** Every score of a run, and what they come to. */
export function scoresText({ scores, summary, isCut }: ShownScores, colors: Colors, width: number): string {
  if (scores.length === 0) return "There are no such scores.";
  const rows = scores.map((score) => [
    taskName(score),
    score.scorerName,
    scoreOf(score, colors),
    oneLine(reasonOf(score), WIDEST_REASON),
  ]);
  const cut = isCut ? [colors.dim("There are more: --limit <n> shows them.")] : [];
  const parts = [
    [formatTable(["TASK", "SCORER", "SCORE", "REASON"], rows, { width, names: ["TASK"] }), ...cut].join("\n"),
  ];
  if (summary.length > 0) parts.push(summaryText(summary, width));
  return parts.join("\n\n");
}

function summaryText(summary: readonly AggregateScore[], width: number): string {
  const header = ["SCORER", "COUNT", "MEAN", "MIN", "MAX", "P50", "STDDEV"];
  const rows = summary.map(({ scorerName, count, mean, min, max, p50, stddev }) => {
    return [scorerName, String(count), ...[mean, min, max, p50, stddev].map(figure)];
  });
  return formatTable(header, rows, { width });
}

function scoreOf({ state, score }: SampledScore, colors: Colors): string {
  if (state === "failed") return colors.red("failed");
  return score === null ? colors.dim("pending") : figure(score);
}

function reasonOf({ reason, error }: SampledScore): string {
  return error === null ? (reason ?? "") : serializedErrorLine(error);
}

function figure(value: number): string {
  return value.toFixed(3);
}

export function comparedText(
  { runs, scorers }: { runs: readonly string[]; scorers: readonly ComparedScorer[] },
  colors: Colors,
  width: number,
): string {
  if (scorers.length === 0) return "Neither run has scores.";
  const side = (of: AggregateScore | null) => (of === null ? "–" : `${figure(of.mean)} (${of.count})`);
  const rows = scorers.map(({ scorerName, before, after, delta }) => {
    return [scorerName, side(before), side(after), deltaText(delta, colors)];
  });
  return formatTable(["SCORER", ...runs.map((runId) => runId.slice(0, 20)), "DELTA"], rows, { width });
}

function deltaText(delta: number | null, colors: Colors): string {
  if (delta === null) return "–";
  const text = `${delta > 0 ? "+" : ""}${figure(delta)}`;
  if (delta === 0) return text;
  return delta > 0 ? colors.green(text) : colors.red(text);
}
