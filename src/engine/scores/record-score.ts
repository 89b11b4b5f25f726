import type { OpenScore, ScoreOutcome } from "../ports.js";
import type { StoredScore } from "../../model/scorer.js";
import { scorerFailed } from "../../scorers/run-scorer.js";
import { truncateUtf8 } from "../../util/bounded-text.js";
import { keptError } from "../attempt/without-secrets.js";
import type { CommitBuilder } from "../turn/commit.js";
import type { RunSession } from "../session/session.js";

/** Bytes of a scorer's reason that are kept. */
const LONGEST_REASON = 16_384;

/** Adds to a commit how a score has ended. */
export function recordScore(commit: CommitBuilder, row: StoredScore, outcome: ScoreOutcome): void {
  const { nodeId, iteration, attempt, scorerId, scorerName, source } = row;
  const about = { nodeId, iteration, attempt, scorerId, scorerName };
  const end = {
    nodeId,
    iteration,
    attempt,
    scorerId,
    source,
    // The clock may have been set back meanwhile.
    scoredAtMs: Math.max(commit.now, row.sampledAtMs),
    durationMs: outcome.durationMs,
  };
  if (outcome.kind === "failed") {
    const error = keptError(outcome.error);
    commit.scoreEnds.push({ ...end, state: "failed", score: null, reason: null, metaJson: null, error });
    commit.event({ type: "ScorerFailed", ...about, error });
    return;
  }
  const { score, reason, meta } = outcome.result;
  commit.scoreEnds.push({
    ...end,
    state: "scored",
    score,
    reason: reason === undefined ? null : truncateUtf8(reason, LONGEST_REASON).text,
    metaJson: meta === undefined ? null : JSON.stringify(meta),
    error: null,
  });
  commit.event({ type: "ScorerFinished", ...about, score });
}

/** The run is cancelled: nothing waits for what was not scored by now. */
export function dropScores(session: RunSession, commit: CommitBuilder): void {
  for (const score of [...session.scores.open]) {
    const outcome = cancelledScore(score.row);
    session.scores.drop(score, outcome.error);
    recordScore(commit, score.row, outcome);
  }
}

export function cancelledScore({
  scorerId,
}: Pick<StoredScore, "scorerId">): Extract<ScoreOutcome, { kind: "failed" }> {
  const error = scorerFailed({ id: scorerId }, "had not answered when the run was cancelled");
  return { kind: "failed", error, durationMs: null };
}

/** A scorer has answered, or was given up. A score that had ended already stays as it is. */
export function takeScore(
  session: RunSession,
  commit: CommitBuilder,
  { score, outcome }: { score: OpenScore; outcome: ScoreOutcome },
): void {
  if (session.scores.end(score)) recordScore(commit, score.row, outcome);
}
