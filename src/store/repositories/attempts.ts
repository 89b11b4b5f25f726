import type { SerializedError } from "../../errors/ensure-error.js";
import { ATTEMPT_STATES, type AttemptRow } from "../../model/node.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { count, instant, oneOf, orNull, record, text } from "./cells.js";
import { each, RUN_NO, toJson, upsertSql } from "./rows.js";

const FIELDS = [
  "state",
  "started_at_ms",
  "finished_at_ms",
  "heartbeat_at_ms",
  "heartbeat_json",
  "cached",
  "error_json",
  "meta_json",
];

const UPSERT = upsertSql("_service_attempts", ["run_no", "node_id", "iteration", "attempt"], FIELDS);

export function upsertAttempt(runNo: number, attempt: AttemptRow): Statement {
  return {
    sql: UPSERT,
    params: [
      runNo,
      attempt.nodeId,
      attempt.iteration,
      attempt.attempt,
      attempt.state,
      attempt.startedAtMs,
      attempt.finishedAtMs,
      attempt.heartbeatAtMs,
      attempt.heartbeatJson,
      attempt.cached ? 1 : 0,
      toJson(attempt.error),
      toJson(attempt.meta),
    ],
  };
}

const SELECT = `SELECT node_id, iteration, attempt, ${FIELDS.join(", ")} FROM _service_attempts WHERE run_no = ${RUN_NO}`;
const ORDER = "ORDER BY node_id, iteration, attempt";

function toAttempt(row: SqlRow): AttemptRow {
  return {
    nodeId: text(row[0]),
    iteration: count(row[1]),
    attempt: count(row[2]),
    state: oneOf(ATTEMPT_STATES, row[3]),
    startedAtMs: instant(row[4]),
    finishedAtMs: orNull(instant, row[5]),
    heartbeatAtMs: orNull(instant, row[6]),
    heartbeatJson: orNull(text, row[7]),
    cached: row[8] === 1,
    error: orNull(record<SerializedError>, row[9]),
    meta: orNull(record, row[10]) as AttemptRow["meta"],
  };
}

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
  return { sql: `${SELECT}${where} ${ORDER}`, params, read: each("_service_attempts", toAttempt) };
}

/** Attempts that nobody has ended. */
export function listOpenAttempts(runId: string): Query<AttemptRow[]> {
  return {
    sql: `${SELECT} AND state = 'in-progress' ${ORDER}`,
    params: [runId],
    read: each("_service_attempts", toAttempt),
  };
}
