import type { Dispatch, TakenReports } from "../../fleet-contract.js";
import type { Statement } from "../../sql-port.js";
import { identifierOf } from "./identifier.js";

/** Keeps a dispatch and puts it into its queue, as a part of the commit that starts its attempt. */
export function dispatchStatements(runNo: number, dispatch: Dispatch): Statement[] {
  const { id, nodeId, iteration, attempt, epoch, driverId, queues, queue, code, job } = dispatch;
  return [
    {
      // A run that went back to an earlier frame counts its attempts from there.
      sql: "DELETE FROM _service_dispatches WHERE run_no = ? AND node_id = ? AND iteration = ? AND attempt = ?",
      params: [runNo, nodeId, iteration, attempt],
    },
    {
      sql: `INSERT INTO _service_dispatches
          (id, run_no, node_id, iteration, attempt, epoch, driver_id, queue, code, identifier, job)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      params: [
        ...[id, runNo, nodeId, iteration, attempt, epoch, driverId],
        ...[queue, code, identifierOf(queue, code), job],
      ],
    },
    { sql: `UPDATE _service_dispatches SET job_id = ${addJob(queues)} WHERE id = ?`, params: [id] },
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

/** Expression that puts a dispatch into its queue, once, and is the number of the job. */
export function addJob(queues: string): string {
  return `(${queues}.add_job(identifier, json_build_object('id', id), job_key := id, max_attempts := 1)).id`;
}
