import { APPROVAL_STATUSES, type ApprovalRow } from "../../model/approval.js";
import type { ApprovalFilter } from "../filters.js";
import { approvalTable } from "../engine-tables/approvals.js";
import { runTable } from "../engine-tables/runs.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { isBetween, isNoneOf, upsertOf } from "./rows.js";

const runOf = runTable.pick("runId");

const SELECT = `SELECT ${runOf.names("r")}, ${approvalTable.names("a")}
  FROM _service_approvals a JOIN _service_runs r ON r.run_no = a.run_no`;

/** How the keys of decisions on this request begin. */
const KEY = "'approval:' || a.node_id || '::' || a.iteration || '@' || a.requested_at_ms || ':'";

const ANSWER = `SELECT 1 FROM _service_inbox i WHERE i.run_no = a.run_no AND i.consumed_at_ms IS NULL
  AND i.kind = 'approval' AND substr(i.dedupe_key, 1, length(${KEY})) = ${KEY}`;

/** Of a request `a`: a decision about it waits to be taken up. */
export const IS_ANSWERED = `EXISTS (${ANSWER})`;
export const IS_UNANSWERED = `NOT ${IS_ANSWERED}`;

/** The request's status is unknown to this library. */
const HAS_UNKNOWN_STATUS = isBetween("a.status", APPROVAL_STATUSES);

const UPSERT = upsertOf(approvalTable);

export function upsertApproval(runNo: number, approval: ApprovalRow): Statement {
  return { sql: UPSERT, params: approvalTable.writeOf(runNo, approval) };
}

export function getApproval(at: {
  runId: string;
  nodeId: string;
  iteration: number;
}): Query<ApprovalRow | undefined> {
  return {
    sql: `${SELECT} WHERE r.run_id = ? AND a.node_id = ? AND a.iteration = ?`,
    params: [at.runId, at.nodeId, at.iteration],
    read: (rows) => rows.slice(0, 1).map(toApproval)[0],
  };
}

/** Longest waiting first, or newest first. */
export function listApprovals(filter: ApprovalFilter): Query<ApprovalRow[]> {
  const { descending = false } = filter;
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (filter.runId !== undefined) where("r.run_id = ?", filter.runId);
  if (filter.workflowName !== undefined) where("r.workflow_name = ?", filter.workflowName);
  if (filter.nodeId !== undefined) where("a.node_id = ?", filter.nodeId);
  if (filter.status !== undefined) where("a.status = ?", filter.status);
  if (filter.unknownStatus === true) where(HAS_UNKNOWN_STATUS);
  if (filter.answered !== undefined) conditions.push(filter.answered ? IS_ANSWERED : IS_UNANSWERED);
  if (filter.exceptRuns !== undefined) {
    where(isNoneOf("r.run_id", filter.exceptRuns.length), ...filter.exceptRuns);
  }
  if (filter.after !== undefined) {
    const { requestedAtMs, runId, nodeId, iteration } = filter.after;
    where(
      `(a.requested_at_ms, r.run_id, a.node_id, a.iteration) ${descending ? "<" : ">"} (?, ?, ?, ?)`,
      requestedAtMs,
      runId,
      nodeId,
      iteration,
    );
  }
  const clause = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  // Those of one run are few: an index in this order would be gone through for the requests of all runs.
  const time = filter.runId === undefined ? "a.requested_at_ms" : "a.requested_at_ms + 0";
  const order = [time, "r.run_id", "a.node_id", "a.iteration"].map((by) => (descending ? `${by} DESC` : by));
  return {
    sql: `${SELECT}${clause}
      ORDER BY ${order.join(", ")} LIMIT ?`,
    params: [...params, filter.limit],
    read: (rows) => rows.map(toApproval),
  };
}

function toApproval(values: SqlRow): ApprovalRow {
  const { runId } = runOf.read(values);
  return { runId, ...approvalTable.read(values, { at: 1, runId }) };
}
