import { taskKey } from "../../model/address.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import { type NodeWait, nodeWaitSchema } from "../../model/intent.js";
import { NODE_STATES, type NodeRow, type NodeState } from "../../model/node.js";
import { TASK_KINDS } from "../../model/task.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { count, instant, oneOf, orNull, position, record, text } from "./cells.js";
import { each, first, RUN_NO, storedJson, toJson, upsertSql } from "./rows.js";

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
    nodeId: text(row[0]),
    iteration: count(row[1]),
    state: oneOf(NODE_STATES, row[2]),
    lastAttempt: count(row[3]),
    failures: count(row[4]),
    failureFingerprint: orNull(text, row[5]),
    identicalFailures: count(row[6]),
    dueAtMs: orNull(instant, row[7]),
    waitingSinceMs: orNull(instant, row[8]),
    outputKey: text(row[9]),
    loopId: orNull(text, row[10]),
    label: orNull(text, row[11]),
    fingerprint: text(row[12]),
    updatedAtMs: instant(row[13]),
    finishedSeq: orNull(position, row[14]),
    error: orNull(record<SerializedError>, row[15]),
    kind: orNull((kind) => oneOf(TASK_KINDS, kind), row[16]),
    wait: toWait(row),
    interruptions: count(row[18]),
  };
}

function toWait(row: SqlRow): NodeWait | null {
  const text = row[17];
  if (text === null || text === undefined) return null;
  const name = taskKey({ nodeId: String(row[0]), iteration: Number(row[1]) });
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
    read: (rows) =>
      Object.fromEntries(
        each("_service_nodes", ([state, number]) => [oneOf(NODE_STATES, state), count(number)])(rows),
      ),
  };
}
