import type { EventBody, RunEvent, StoredEvent } from "../../model/events.js";
import type { EventQuery } from "../contract.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { count, instant, record, text } from "./cells.js";
import { each, isOneOf, RUN_NO } from "./rows.js";

const INSERT = `INSERT INTO _service_events (run_no, seq, type, timestamp_ms, node_id, iteration, attempt, payload_json)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** The address goes into columns, so most events need no JSON at all. */
export function insertEvent(
  runNo: number,
  { seq, timestampMs, body }: { seq: number; timestampMs: number; body: EventBody },
): Statement {
  const members = body as Record<string, unknown>;
  let nodeId: string | null = null;
  let iteration: number | null = null;
  let attempt: number | null = null;
  let payload: Record<string, unknown> | undefined;
  for (const key in members) {
    const value = members[key];
    if (key === "nodeId") nodeId = value as string;
    else if (key === "iteration") iteration = value as number;
    else if (key === "attempt") attempt = value as number;
    else if (key !== "type" && value !== undefined) {
      payload ??= {};
      payload[key] = value;
    }
  }
  return {
    sql: INSERT,
    params: [
      runNo,
      seq,
      body.type,
      timestampMs,
      nodeId,
      iteration,
      attempt,
      payload === undefined ? null : JSON.stringify(payload),
    ],
  };
}

export function listEvents(runId: string, query: EventQuery): Query<StoredEvent[]> {
  const { afterSeq = -1, types, nodeId, limit, descending = false } = query;
  const params: SqlValue[] = [runId, afterSeq];
  let where = "";
  if (types !== undefined) {
    where += ` AND ${isOneOf("type", types.length)}`;
    params.push(...types);
  }
  if (nodeId !== undefined) {
    where += " AND node_id = ?";
    params.push(nodeId);
  }
  return {
    sql: `SELECT seq, type, timestamp_ms, node_id, iteration, attempt, payload_json FROM _service_events
      WHERE run_no = ${RUN_NO} AND seq > ?${where} ORDER BY seq ${descending ? "DESC" : "ASC"} LIMIT ?`,
    params: [...params, limit],
    read: each("_service_events", (row) => toEvent(runId, row)),
  };
}

function toEvent(runId: string, row: SqlRow): StoredEvent {
  const [seq, type, timestampMs, nodeId, iteration, attempt, payload] = row;
  const event: Record<string, unknown> = { type: text(type), runId, timestampMs: instant(timestampMs) };
  if (nodeId !== null) event["nodeId"] = text(nodeId);
  if (iteration !== null) event["iteration"] = count(iteration);
  if (attempt !== null) event["attempt"] = count(attempt);
  if (payload !== null) Object.assign(event, record(payload));
  return { seq: count(seq), event: event as RunEvent };
}
