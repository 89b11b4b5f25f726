import { taskKey } from "../../model/address.js";
import type { Scorer, ScorerInput, StoredScore } from "../../model/scorer.js";
import type { TaskDescriptor } from "../../model/task.js";
import { scorerFailed } from "../../scorers/run-scorer.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import { recordScore } from "./record-score.js";

/**
 * Takes over the scores that an earlier process has sampled and not seen end. Scorers are code: they
 * come from the tree as it is now, a scorer that no task has any more ends its scores as failed.
 */
export function adoptScores(
  session: RunSession,
  commit: CommitBuilder,
  pending: readonly StoredScore[],
): void {
  const tasks = session.frame?.tasks ?? [];
  for (const row of pending) {
    const { scorerId } = row;
    const own = tasks.find(({ nodeId }) => nodeId === row.nodeId);
    // Its task may have left the tree: the scorer is the same wherever it stands.
    const scorer = scorerOf(own, scorerId) ?? first(tasks, (task) => scorerOf(task, scorerId));
    if (scorer === undefined) {
      const what = `is on no task of the workflow any more, so what it was to say of ${row.nodeId} is not known`;
      recordScore(commit, row, {
        kind: "failed",
        error: scorerFailed({ id: scorerId }, what),
        durationMs: null,
      });
      continue;
    }
    const score = { row, scorer, input: inputOf(session, row, own) };
    session.scores.add(score);
    commit.scorings.push(score);
  }
}

function scorerOf(task: TaskDescriptor | undefined, scorerId: string): Scorer | undefined {
  return Object.values(task?.scorers ?? {}).find(({ scorer }) => scorer.id === scorerId)?.scorer;
}

function inputOf(session: RunSession, row: StoredScore, task: TaskDescriptor | undefined): ScorerInput {
  const node = session.state.nodes.get(taskKey(row))?.row;
  // A task that was reset since has another row by now, or none.
  const isNewest = node?.state === "finished" && node.lastAttempt === row.attempt;
  const stored = isNewest ? session.outputs.get(node.outputKey, row.nodeId, row.iteration) : undefined;
  return {
    input: parsed(row.inputJson),
    output: stored ?? parsed(row.outputJson),
    ...(row.groundTruthJson !== null && { groundTruth: parsed(row.groundTruthJson) }),
    ...(row.contextJson !== null && { context: parsed(row.contextJson) }),
    ...(row.latencyMs !== null && { latencyMs: row.latencyMs }),
    ...(task?.outputSchema !== undefined && { outputSchema: task.outputSchema }),
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
