import type { SerializedError } from "../../errors/ensure-error.js";
import type { ResumeFailure } from "../../model/run.js";
import type { Query, Statement } from "../sql-port.js";
import { first, RUN_NO } from "./rows.js";

const FIELDS = "failures, error_json, failed_at_ms, retry_at_ms, newest_intent, code";

export function getResumeFailure(runId: string): Query<ResumeFailure | undefined> {
  return {
    sql: `SELECT ${FIELDS} FROM _service_resume_failures WHERE run_no = ${RUN_NO}`,
    params: [runId],
    read: first("_service_resume_failures", (row) => ({
      failures: row[0] as number,
      error: JSON.parse(row[1] as string) as SerializedError,
      failedAtMs: row[2] as number,
      retryAtMs: row[3] as number,
      newestIntent: row[4] as number,
      code: row[5] as string | null,
    })),
  };
}

/** Nothing is written for a run that is gone. Null: somebody could go on with it. */
export function writeResumeFailure(runId: string, failure: ResumeFailure | null): Statement {
  if (failure === null) {
    return { sql: `DELETE FROM _service_resume_failures WHERE run_no = ${RUN_NO}`, params: [runId] };
  }
  const { failures, error, failedAtMs, retryAtMs, newestIntent, code } = failure;
  return {
    sql: `INSERT INTO _service_resume_failures (run_no, ${FIELDS})
      SELECT run_no, ?, ?, ?, ?, ?, ? FROM _service_runs WHERE run_id = ?
      ON CONFLICT (run_no) DO UPDATE SET failures = excluded.failures, error_json = excluded.error_json,
      failed_at_ms = excluded.failed_at_ms, retry_at_ms = excluded.retry_at_ms,
      newest_intent = excluded.newest_intent, code = excluded.code`,
    params: [failures, JSON.stringify(error), failedAtMs, retryAtMs, newestIntent, code, runId],
  };
}
