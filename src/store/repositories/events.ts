import { type EventBody, eventMismatch, type RunEvent, type StoredEvent } from "../../model/events.js";
import type { EventQuery } from "../filters.js";
import { eventTable } from "../engine-tables/events.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { insertSql, isOneOf, RUN_NO } from "./rows.js";

const INSERT = insertSql(eventTable);

/** The address goes into columns, so most events need no JSON at all. */
export function insertEvent(
  runNo: number,
  { seq, timestampMs, body }: { seq: number; timestampMs: number; body: EventBody },
): Statement {
  const members = body as Record<string, unknown>;
  let nodeId: string | null = null;
  let iteration: number | null = null;
  let attempt: number | null = null;
  let payload: Record<string, unknown> | null = null;
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
  const { type } = body;
  const row = { seq, type, timestampMs, nodeId, iteration, attempt, payload };
  return { sql: INSERT, params: eventTable.writeOf(runNo, row), isRow: true };
}

export function listEvents(runId: string, query: EventQuery): Query<StoredEvent[]> {
  const { afterSeq = -1, beforeSeq, types, nodeId, limit, descending = false } = query;
  const params: SqlValue[] = [runId, afterSeq];
  let where = "";
  if (beforeSeq !== undefined) {
    where += " AND seq < ?";
    params.push(beforeSeq);
  }
  if (types !== undefined) {
    where += ` AND ${isOneOf("type", types.length)}`;
    params.push(...types);
  }
  if (nodeId !== undefined) {
    where += " AND node_id = ?";
    params.push(nodeId);
  }
  return {
    sql: `SELECT ${eventTable.names()} FROM _service_events
      WHERE run_no = ${RUN_NO} AND seq > ?${where} ORDER BY seq ${descending ? "DESC" : "ASC"} LIMIT ?`,
    params: [...params, limit],
    read: (rows) => rows.map((row) => toEvent(runId, row)),
  };
}

function toEvent(runId: string, values: SqlRow): StoredEvent {
  const { seq, type, timestampMs, nodeId, iteration, attempt, payload } = eventTable.read(values, { runId });
  const event = {
    ...payload,
    type,
    runId,
    timestampMs,
    ...(nodeId !== null && { nodeId }),
    ...(iteration !== null && { iteration }),
    ...(attempt !== null && { attempt }),
  };
  const mismatch = eventMismatch(event);
  if (mismatch === undefined) return { seq, event: event as RunEvent };
  const { member, problem } = mismatch;
  const { name } =
    (eventTable.columns as Record<string, { name: string }>)[member] ?? eventTable.columns.payload;
  throw eventTable.damaged(values, { runId, column: name, problem });
}
