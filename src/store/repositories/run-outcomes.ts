import type { RunStatus } from "../../model/run.js";
import type { RunOutcome } from "../across-runs.js";
import type { Query } from "../sql-port.js";

/** Runs of one name that were made since a time, by status, with how long those that have ended took. */
export function runOutcomes({
  workflowName,
  sinceMs,
}: {
  workflowName: string;
  sinceMs: number;
}): Query<RunOutcome[]> {
  return {
    sql: `SELECT status, count(*), avg(finished_at_ms - started_at_ms) FROM _service_runs
      WHERE created_at_ms >= ? AND workflow_name = ? GROUP BY status ORDER BY status`,
    params: [sinceMs, workflowName],
    read: (rows) =>
      rows.map(([status, count, mean]) => ({
        status: status as RunStatus,
        count: Number(count),
        meanDurationMs: mean === null ? null : Number(mean),
      })),
  };
}
