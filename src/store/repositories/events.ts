import { type EventBody, eventMismatch, type RunEvent, type StoredEvent } from "../../model/events.js";
import type { EventQuery } from "../filters.js";
import { eventTable, type StoredEventRow, storedEventTable } from "../engine-tables/events.js";
import { boundOf, PLACES_OF_RUN, placeOf } from "../engine-tables/places.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { FIRST_PLACE, insertSql, isOneOf, RUN_NO } from "./rows.js";

const INSERT = insertSql(storedEventTable);
const INSERT_OF_NEW_RUN = INSERT.replace("VALUES (?, ?", `VALUES (${RUN_NO}, ${FIRST_PLACE} + ?`);

/** An event of a commit, with its number. */
type NewEvent = { seq: number; timestampMs: number; body: EventBody };

/** What nearly all events of a type have beside their address is not written. */
const IMPLIED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  FrameCommitted: { reason: "output" },
};

/** The address goes into columns, so most events need no JSON at all. */
export function insertEvent(runNo: number, event: NewEvent): Statement {
  const row = rowOf(event);
  const params = storedEventTable.writeOf(runNo, { place: placeOf(runNo, event.seq), ...row });
  return { sql: INSERT, params, isRow: true };
}

/** As `insertEvent`, for a run that has no number yet. */
export function insertEventOfNewRun(runId: string, event: NewEvent): Statement {
  const [, ...values] = storedEventTable.writeOf(0, { place: event.seq, ...rowOf(event) });
  return { sql: INSERT_OF_NEW_RUN, params: [runId, runId, ...values] };
}

function rowOf({ seq, timestampMs, body }: NewEvent): StoredEventRow {
  const members = body as Record<string, unknown>;
  const implied = IMPLIED[body.type];
  let nodeId: string | null = null;
  let iteration: number | null = null;
  let attempt: number | null = null;
  let payload: Record<string, unknown> | null = null;
  for (const key in members) {
    const value = members[key];
    if (key === "nodeId") nodeId = value as string;
    else if (key === "iteration") iteration = value as number;
    else if (key === "attempt") attempt = value as number;
    else if (key !== "type" && value !== undefined && implied?.[key] !== value) {
      payload ??= {};
      payload[key] = value;
    }
  }
  const { type } = body;
  return { seq, type, timestampMs, nodeId, iteration, attempt, payload };
}

export function listEvents(runId: string, query: EventQuery): Query<StoredEvent[]> {
  const { afterSeq = -1, beforeSeq = PLACES_OF_RUN, types, nodeId, limit, descending = false } = query;
  const params: SqlValue[] = [runId, boundOf(afterSeq), runId, boundOf(beforeSeq)];
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
    sql: `SELECT ${eventTable.names()} FROM _service_events
      WHERE place > ${FIRST_PLACE} + ? AND place < ${FIRST_PLACE} + ?${where}
      ORDER BY place ${descending ? "DESC" : "ASC"} LIMIT ?`,
    params: [...params, limit],
    read: (rows) => rows.map((row) => toEvent(runId, row)),
  };
}

function toEvent(runId: string, values: SqlRow): StoredEvent {
  const { seq, type, timestampMs, nodeId, iteration, attempt, payload } = eventTable.read(values, { runId });
  const event = {
    ...IMPLIED[type],
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
