import type { AggregateScore } from "../model/scorer.js";

/** One scorer in two runs; null where it has no score. */
export interface ComparedScorer {
  scorerId: string;
  scorerName: string;
  before: AggregateScore | null;
  after: AggregateScore | null;
  /** Mean of the second run less that of the first; null without both. */
  delta: number | null;
}

/** By the ids of the scorers. */
export function compareScores(
  before: readonly AggregateScore[],
  after: readonly AggregateScore[],
): ComparedScorer[] {
  const ids = [...new Set([...before, ...after].map(({ scorerId }) => scorerId))].sort();
  return ids.map((scorerId) => {
    const own = (side: readonly AggregateScore[]) => side.find((each) => each.scorerId === scorerId) ?? null;
    const [first, second] = [own(before), own(after)];
    return {
      scorerId,
      scorerName: (second ?? first)?.scorerName ?? scorerId,
      before: first,
      after: second,
      delta: first === null || second === null ? null : second.mean - first.mean,
    };
  });
}
