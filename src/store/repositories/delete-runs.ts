import type { Query, Statement } from "../sql-port.js";
import { quoteName } from "../tables/names.js";
import { each, isOneOf } from "./rows.js";

/** Tables whose rows belong to a run by its number. */
const RUN_TABLES = [
  "_service_run_configs",
  "_service_nodes",
  "_service_attempts",
  "_service_events",
  "_service_frames",
  "_service_snapshots",
  "_service_inbox",
  "_service_approvals",
  "_service_controls",
  "_service_usage",
  "_service_resume_failures",
];

/** Those of the runs that have ended. */
export function listDeletable(runIds: readonly string[]): Query<{ runNo: number; runId: string }[]> {
  return {
    sql: `SELECT run_no, run_id FROM _service_runs
      WHERE ${isOneOf("run_id", runIds.length)}
      AND status IN ('finished', 'continued', 'failed', 'cancelled') ORDER BY run_no`,
    params: runIds,
    read: each("_service_runs", ([runNo, runId]) => ({ runNo: runNo as number, runId: runId as string })),
  };
}

/** Everything that belongs to a run: engine rows by number, generated rows by id, the run row last. */
export function deleteRun(
  { runNo, runId }: { runNo: number; runId: string },
  generatedTables: readonly string[],
): Statement[] {
  return [
    ...RUN_TABLES.map((table) => ({ sql: `DELETE FROM ${table} WHERE run_no = ?`, params: [runNo] })),
    ...generatedTables.map((table) => ({
      sql: `DELETE FROM ${quoteName(table)} WHERE run_id = ?`,
      params: [runId],
    })),
    { sql: "DELETE FROM _service_runs WHERE run_no = ?", params: [runNo] },
  ];
}
