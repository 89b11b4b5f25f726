import { type NodeWait, nodeWaitSchema } from "../../model/intent.js";
import type { NodeRow, NodeState } from "../../model/node.js";
import type { TaskKind } from "../../model/task.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { each, first, fromJson, RUN_NO, storedJson, toJson, upsertSql } from "./rows.js";

const FIELDS = [
  "state",
  "last_attempt",
  "failures",
  "failure_fingerprint",
  "identical_failures",
  "due_at_ms",
  "waiting_since_ms",
  "output_key",
  "loop_id",
  "label",
  "fingerprint",
  "updated_at_ms",
  "finished_seq",
  "error_json",
  "kind",
  "wait_json",
  "interruptions",
];

const UPSERT = upsertSql("_service_nodes", ["run_no", "node_id", "iteration"], FIELDS);

export function upsertNode(runNo: number, node: NodeRow): Statement {
  return { sql: UPSERT, params: [runNo, ...valuesOf(node)] };
}

const INSERT = UPSERT.replace("VALUES (?", `VALUES (${RUN_NO}`);

/** As upsertNode, of a run whose number is not known yet. */
export function seedNode(runId: string, node: NodeRow): Statement {
  return { sql: INSERT, params: [runId, ...valuesOf(node)] };
}

function valuesOf(node: NodeRow): SqlValue[] {
  return [
    node.nodeId,
    node.iteration,
    node.state,
    node.lastAttempt,
    node.failures,
    node.failureFingerprint,
    node.identicalFailures,
    node.dueAtMs,
    node.waitingSinceMs,
    node.outputKey,
    node.loopId,
    node.label,
    node.fingerprint,
    node.updatedAtMs,
    node.finishedSeq,
    toJson(node.error),
    node.kind,
    toJson(node.wait),
    node.interruptions,
  ];
}

function toNode(row: SqlRow): NodeRow {
  return {
    nodeId: row[0] as string,
    iteration: row[1] as number,
    state: row[2] as NodeState,
    lastAttempt: row[3] as number,
    failures: row[4] as number,
    failureFingerprint: row[5] as string | null,
    identicalFailures: row[6] as number,
    dueAtMs: row[7] as number | null,
    waitingSinceMs: row[8] as number | null,
    outputKey: row[9] as string,
    loopId: row[10] as string | null,
    label: row[11] as string | null,
    fingerprint: row[12] as string,
    updatedAtMs: row[13] as number,
    finishedSeq: row[14] as number | null,
    error: fromJson(row[15]),
    kind: row[16] as TaskKind | null,
    wait: toWait(row),
    interruptions: row[18] as number,
  };
}

function toWait(row: SqlRow): NodeWait | null {
  const text = row[17];
  if (text === null || text === undefined) return null;
  const name = `${row[0]}::${row[1]}`;
  return storedJson(nodeWaitSchema, text, { table: "_service_nodes", row: name, column: "wait_json" });
}

const SELECT = `SELECT node_id, iteration, ${FIELDS.join(", ")} FROM _service_nodes WHERE run_no = ${RUN_NO}`;

export function getNode(runId: string, nodeId: string, iteration?: number): Query<NodeRow | undefined> {
  const at = iteration === undefined ? "" : " AND iteration = ?";
  return {
    sql: `${SELECT} AND node_id = ?${at} ORDER BY iteration DESC LIMIT 1`,
    params: [runId, nodeId, ...(iteration === undefined ? [] : [iteration])],
    read: first("_service_nodes", toNode),
  };
}

export function listNodes(runId: string): Query<NodeRow[]> {
  return {
    sql: `${SELECT} ORDER BY node_id, iteration`,
    params: [runId],
    read: each("_service_nodes", toNode),
  };
}

export function countNodes(runId: string): Query<Partial<Record<NodeState, number>>> {
  return {
    sql: `SELECT state, count(*) FROM _service_nodes WHERE run_no = ${RUN_NO} GROUP BY state`,
    params: [runId],
    read: (rows) => Object.fromEntries(rows.map(([state, count]) => [state as NodeState, count as number])),
  };
}
