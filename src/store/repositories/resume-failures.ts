import type { ResumeFailure } from "../../model/run.js";
import { resumeFailureTable } from "../engine-tables/runs.js";
import type { Query, Statement } from "../sql-port.js";
import { placeholders, RUN_NO, upsertOf } from "./rows.js";

const FIELDS = resumeFailureTable.otherNames;
const VALUES = `VALUES (${placeholders(FIELDS.length + 1)})`;
/** Nothing is inserted for a run that is gone. */
const UPSERT = upsertOf(resumeFailureTable).replace(
  VALUES,
  `SELECT run_no, ${placeholders(FIELDS.length)} FROM _service_runs WHERE run_id = ?`,
);

export function getResumeFailure(runId: string): Query<ResumeFailure | undefined> {
  return {
    sql: `SELECT ${resumeFailureTable.names()} FROM _service_resume_failures WHERE run_no = ${RUN_NO}`,
    params: [runId],
    read: (rows) => resumeFailureTable.first(rows, runId),
  };
}

/** Null: a process could continue with it. */
export function writeResumeFailure(runId: string, failure: ResumeFailure | null): Statement {
  if (failure === null) {
    return { sql: `DELETE FROM _service_resume_failures WHERE run_no = ${RUN_NO}`, params: [runId] };
  }
  return { sql: UPSERT, params: [...resumeFailureTable.write(failure), runId] };
}
