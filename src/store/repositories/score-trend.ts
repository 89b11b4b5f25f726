import type { NewestScore, ScoreTrendFilter, ScoreTrendRow } from "../across-runs.js";
import type { Query } from "../sql-port.js";

/** Scores that are there, by workflow, scorer and span of `stepMs`, counted from the epoch. Spans without one are left out. */
export function scoreTrend(
  { sinceMs, workflowName }: ScoreTrendFilter,
  stepMs: number,
): Query<ScoreTrendRow[]> {
  const ofWorkflow = workflowName === undefined ? "" : " AND r.workflow_name = ?";
  return {
    // As in run-times: the quotient of floating numbers would be one.
    sql: `SELECT r.workflow_name, s.scorer_id, max(s.scorer_name), CAST(s.sampled_at_ms AS BIGINT) / CAST(? AS BIGINT),
        count(*), sum(s.score), min(s.score), max(s.score)
      FROM _service_scores s JOIN _service_runs r ON r.run_no = s.run_no
      WHERE s.state = 'scored' AND s.score IS NOT NULL AND s.sampled_at_ms >= ?${ofWorkflow}
      GROUP BY 1, 2, 4 ORDER BY 1, 2, 4`,
    params: [stepMs, sinceMs, ...(workflowName === undefined ? [] : [workflowName])],
    read: (rows) =>
      rows.map(([workflow, scorerId, scorerName, span, count, sum, min, max]) => ({
        workflowName: String(workflow),
        scorerId: String(scorerId),
        scorerName: String(scorerName),
        startMs: Number(span) * stepMs,
        count: Number(count),
        sum: Number(sum),
        min: Number(min),
        max: Number(max),
      })),
  };
}

/** Scores that are there, the newest first. */
export function newestScores(
  { sinceMs, workflowName }: ScoreTrendFilter,
  limit: number,
): Query<NewestScore[]> {
  const ofWorkflow = workflowName === undefined ? "" : " AND r.workflow_name = ?";
  return {
    sql: `SELECT r.run_id, r.workflow_name, s.node_id, s.iteration, s.scorer_id, s.scorer_name, s.score, s.sampled_at_ms
      FROM _service_scores s JOIN _service_runs r ON r.run_no = s.run_no
      WHERE s.state = 'scored' AND s.score IS NOT NULL AND s.sampled_at_ms >= ?${ofWorkflow}
      ORDER BY s.sampled_at_ms DESC, r.run_id, s.node_id, s.iteration, s.scorer_id LIMIT ?`,
    params: [sinceMs, ...(workflowName === undefined ? [] : [workflowName]), limit],
    read: (rows) =>
      rows.map(([runId, workflow, nodeId, iteration, scorerId, scorerName, score, sampledAtMs]) => ({
        runId: String(runId),
        workflowName: String(workflow),
        nodeId: String(nodeId),
        iteration: Number(iteration),
        scorerId: String(scorerId),
        scorerName: String(scorerName),
        score: Number(score),
        sampledAtMs: Number(sampledAtMs),
      })),
  };
}
