import type { AttemptRow } from "../../model/node.js";
import type { AttemptTimes } from "../row-contract.js";
import { attemptTable, storedAttemptTable } from "../engine-tables/nodes.js";
import type { Query, SqlValue, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(storedAttemptTable);

export function upsertAttempt(runNo: number, attempt: AttemptRow): Statement {
  const params = attemptTable.writeOf(runNo, attempt);
  params.push(attempt.meta?.childDatabase === undefined ? 0 : 1);
  return { sql: UPSERT, params, isRow: true };
}

const SELECT = `SELECT ${attemptTable.names()} FROM _service_attempts WHERE run_no = ${RUN_NO}`;
const ORDER = "ORDER BY node_id, iteration, attempt";

/** Attempts of a run, of one of its nodes, or of one iteration of that node. */
export function listAttempts(runId: string, nodeId?: string, iteration?: number): Query<AttemptRow[]> {
  const params: SqlValue[] = [runId];
  let where = "";
  if (nodeId !== undefined) {
    where += " AND node_id = ?";
    params.push(nodeId);
  }
  if (iteration !== undefined) {
    where += " AND iteration = ?";
    params.push(iteration);
  }
  return { sql: `${SELECT}${where} ${ORDER}`, params, read: (rows) => attemptTable.all(rows, runId) };
}

/** Attempts without an end. */
export function listOpenAttempts(runId: string): Query<AttemptRow[]> {
  return {
    sql: `${SELECT} AND state = 'in-progress' ${ORDER}`,
    params: [runId],
    read: (rows) => attemptTable.all(rows, runId),
  };
}

const times = attemptTable.pick("nodeId", "iteration", "startedAtMs", "finishedAtMs");

/** Of all attempts of a run, in the order in which they began. */
export function listAttemptTimes(runId: string): Query<AttemptTimes[]> {
  return {
    sql: `SELECT ${times.names()} FROM _service_attempts WHERE run_no = ${RUN_NO} ORDER BY started_at_ms`,
    params: [runId],
    read: (rows) => times.all(rows, runId),
  };
}
