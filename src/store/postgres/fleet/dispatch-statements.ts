import type { Announced, Dispatch, TakenReports } from "../../fleet-contract.js";
import type { Statement } from "../../sql-port.js";
import { identifierOf } from "./identifier.js";

/** Keeps a dispatch and puts it into its queue, as a part of the commit that starts its attempt. */
export function dispatchStatements(runNo: number, dispatch: Dispatch): Statement[] {
  const { id, runId, nodeId, iteration, attempt, epoch, nextSeq, driverId, queues, queue, code, job } =
    dispatch;
  const identifier = identifierOf(queue, code);
  const announced: Announced = { id, runId, epoch, nextSeq, code };
  return [
    {
      // A run that went back to an earlier frame counts its attempts from there.
      sql: "DELETE FROM _service_dispatches WHERE run_no = ? AND node_id = ? AND iteration = ? AND attempt = ?",
      params: [runNo, nodeId, iteration, attempt],
    },
    {
      sql: `INSERT INTO _service_dispatches
          (id, run_no, node_id, iteration, attempt, epoch, driver_id, queue, code, identifier, job, job_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${addJob(queues, { identifier: "?", payload: "?::json", id: "?" })})`,
      params: [
        ...[id, runNo, nodeId, iteration, attempt, epoch, driverId],
        ...[queue, code, identifier, job, identifier, JSON.stringify(announced), id],
      ],
    },
  ];
}

/** Deletes reports as a part of the commit that keeps them: another process that takes the run over finds the others. */
export function takeReports(taken: readonly TakenReports[]): Statement {
  return {
    sql: `DELETE FROM _service_dispatch_reports r
      USING json_to_recordset(?::json) AS x ("dispatchId" text, seq bigint)
      WHERE r.dispatch_id = x."dispatchId" AND r.seq <= x.seq`,
    params: [JSON.stringify(taken)],
  };
}

/** Expressions for what a job consists of. */
interface JobParts {
  identifier: string;
  payload: string;
  id: string;
}

/** Expression that puts a dispatch into its queue, once, and is the number of the job. */
export function addJob(queues: string, { identifier, payload, id }: JobParts): string {
  return `(${queues}.add_job(${identifier}, ${payload}, job_key := ${id}, max_attempts := 1)).id`;
}
