import { APPROVAL_MODES, APPROVAL_STATUSES, type ApprovalRow } from "../../model/approval.js";
import type { ApprovalFilter } from "../contract.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { count, instant, list, oneOf, orNull, record, text, textList } from "./cells.js";
import { each, first, toJson, upsertSql } from "./rows.js";

const FIELDS = [
  "status",
  "mode",
  "request_json",
  "options_json",
  "allowed_scopes_json",
  "allowed_users_json",
  "request_hash",
  "requested_at_ms",
  "decided_at_ms",
  "decision_json",
  "auto_approved",
];

const SELECT = `SELECT r.run_id, a.node_id, a.iteration, ${FIELDS.map((name) => `a.${name}`).join(", ")}
  FROM _service_approvals a JOIN _service_runs r ON r.run_no = a.run_no`;

/** How the keys of decisions on this request begin. */
const KEY = "'approval:' || a.node_id || '::' || a.iteration || '@' || a.requested_at_ms || ':'";

const ANSWER = `SELECT 1 FROM _service_inbox i WHERE i.run_no = a.run_no AND i.consumed_at_ms IS NULL
  AND i.kind = 'approval' AND substr(i.dedupe_key, 1, length(${KEY})) = ${KEY}`;

const UPSERT = upsertSql("_service_approvals", ["run_no", "node_id", "iteration"], FIELDS);

export function upsertApproval(runNo: number, approval: ApprovalRow): Statement {
  return {
    sql: UPSERT,
    params: [
      runNo,
      approval.nodeId,
      approval.iteration,
      approval.status,
      approval.mode,
      JSON.stringify(approval.request),
      toJson(approval.options),
      toJson(approval.allowedScopes),
      toJson(approval.allowedUsers),
      approval.requestHash,
      approval.requestedAtMs,
      approval.decidedAtMs,
      toJson(approval.decision),
      approval.autoApproved ? 1 : 0,
    ],
  };
}

export function getApproval(at: {
  runId: string;
  nodeId: string;
  iteration: number;
}): Query<ApprovalRow | undefined> {
  return {
    sql: `${SELECT} WHERE r.run_id = ? AND a.node_id = ? AND a.iteration = ?`,
    params: [at.runId, at.nodeId, at.iteration],
    read: first("_service_approvals", toApproval),
  };
}

/** Longest waiting first. */
export function listApprovals(filter: ApprovalFilter): Query<ApprovalRow[]> {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (condition: string, value: SqlValue) => {
    conditions.push(condition);
    params.push(value);
  };
  if (filter.runId !== undefined) where("r.run_id = ?", filter.runId);
  if (filter.workflowName !== undefined) where("r.workflow_name = ?", filter.workflowName);
  if (filter.nodeId !== undefined) where("a.node_id = ?", filter.nodeId);
  if (filter.status !== undefined) where("a.status = ?", filter.status);
  if (filter.unanswered === true) conditions.push(`NOT EXISTS (${ANSWER})`);
  const clause = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return {
    sql: `${SELECT}${clause}
      ORDER BY a.requested_at_ms, r.run_no, a.node_id, a.iteration LIMIT ?`,
    params: [...params, filter.limit],
    read: each("_service_approvals", toApproval),
  };
}

function toApproval(row: SqlRow): ApprovalRow {
  return {
    runId: text(row[0]),
    nodeId: text(row[1]),
    iteration: count(row[2]),
    status: oneOf(APPROVAL_STATUSES, row[3]),
    mode: oneOf(APPROVAL_MODES, row[4]),
    request: record<ApprovalRow["request"]>(row[5]),
    options: orNull(list, row[6]) as ApprovalRow["options"],
    allowedScopes: orNull(textList, row[7]),
    allowedUsers: orNull(textList, row[8]),
    requestHash: text(row[9]),
    requestedAtMs: instant(row[10]),
    decidedAtMs: orNull(instant, row[11]),
    decision: orNull(record, row[12]) as ApprovalRow["decision"],
    autoApproved: row[13] === 1,
  };
}
