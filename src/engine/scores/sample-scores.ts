import type { TaskKey } from "../../model/address.js";
import type { ScorerInput, StoredScore } from "../../model/scorer.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import { isSampled, scoreId } from "../../scorers/sampling.js";
import { givenTo } from "../attempt/given.js";
import type { AttemptOutcome } from "../ports.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import { keptJson } from "../../scorers/kept-json.js";

/**
 * Adds to the commit that finishes a task which of its scorers are for this output.
 * To be called while the attempt is still open.
 */
export function sampleScores(
  session: RunSession,
  commit: CommitBuilder,
  about: {
    key: TaskKey;
    attempt: number;
    task: TaskDescriptor | null;
    outcome: Pick<AttemptOutcome, "record">;
    row: OutputRow | undefined;
  },
): void {
  const { task, attempt, outcome, row: output } = about;
  if (task?.scorers === undefined || output === undefined) return;
  const { runId } = session;
  const { nodeId, iteration } = task;
  const startedAtMs = session.ledger.openAttempts.get(about.key)?.startedAtMs ?? commit.now;
  // The clock may have been set back meanwhile.
  const latencyMs = Math.max(0, commit.now - startedAtMs);
  const given = givenTo(outcome.record) ?? task.prompt ?? task.staticPayload ?? null;
  // Two sides may need different numbers of attempts.
  const lot = task.sampledAs !== undefined && { nodeId: task.sampledAs, attempt: 1 };
  // Of all scorers of the task the same.
  let texts: Pick<StoredScore, "inputJson" | "outputJson"> | null = null;
  for (const binding of Object.values(task.scorers)) {
    const { scorer, groundTruth, context } = binding;
    const place = { nodeId, iteration, attempt, scorerId: scorer.id, source: "live" as const };
    if (!isSampled(binding, { runId, ...place, ...lot })) continue;
    texts ??= { inputJson: keptJson(given), outputJson: keptJson(output) };
    const row: StoredScore = {
      ...place,
      id: scoreId({ runId, ...place }),
      scorerName: scorer.name,
      state: "pending",
      score: null,
      reason: null,
      error: null,
      metaJson: null,
      ...texts,
      groundTruthJson: keptJson(groundTruth),
      contextJson: keptJson(context),
      latencyMs,
      sampledAtMs: commit.now,
      scoredAtMs: null,
      durationMs: null,
    };
    const input: ScorerInput = {
      input: given,
      output,
      latencyMs,
      ...(groundTruth !== undefined && { groundTruth }),
      ...(context !== undefined && { context }),
      ...(task.outputSchema !== undefined && { outputSchema: task.outputSchema }),
    };
    commit.sampledScores.push(row);
    const score = { row, scorer, input };
    session.scores.add(score);
    commit.scorings.push(score);
  }
}
