import type { Occurrence, OverlapPolicy, Schedule } from "../../model/schedule.js";
import { occurrenceTable } from "../engine-tables/schedules.js";
import type { OccurrenceFilter, OccurrenceKey } from "../host-records.js";
import type { Query, Statement } from "../sql-port.js";
import { placeholders } from "./rows.js";

const SELECT = `SELECT ${occurrenceTable.names()} FROM _service_schedule_occurrences`;
const AT = "cron_id = ? AND scheduled_at_ms = ?";

/** Others of the schedule that are continuing or about to. Parameter: the schedule's id. */
const IS_BUSY =
  "EXISTS (SELECT 1 FROM _service_schedule_occurrences o WHERE o.cron_id = ? AND o.is_open = 1)";
const HAS_QUEUED =
  "EXISTS (SELECT 1 FROM _service_schedule_occurrences o WHERE o.cron_id = ? AND o.is_open = 1 AND o.state = 'queued')";

/**
 * The state of a new occurrence, decided where it is written, so that no two of them overlap. One waits at most.
 * Each parameter: the schedule's id.
 */
const NEW_STATE: Readonly<Record<OverlapPolicy, { sql: string; ids: number }>> = {
  allow: { sql: "'pending'", ids: 0 },
  skip: { sql: `CASE WHEN ${IS_BUSY} THEN 'skipped-overlap' ELSE 'pending' END`, ids: 1 },
  queue: {
    sql: `CASE WHEN ${HAS_QUEUED} THEN 'skipped-overlap' WHEN ${IS_BUSY} THEN 'queued' ELSE 'pending' END`,
    ids: 2,
  },
};

const OVERLAPS: Readonly<Record<OverlapPolicy, string>> = {
  allow: "",
  skip: "The run before it had not ended.",
  queue: "The run before it had not ended, and another occurrence waits for that already.",
};

/** An occurrence that is due: to be started, unless it overlaps. A time that is recorded already stays as it is. */
export function insertDue(
  { cronId, overlap }: Schedule,
  occurrence: Occurrence,
  miss: Pick<Statement, "expectRows" | "onMiss"> = {},
): Statement[] {
  const names = occurrenceTable.inOrder.map(({ name }) => name);
  const state = NEW_STATE[overlap];
  const values = names.map((name) => (name === "state" ? state.sql : "?"));
  const written = occurrenceTable.write(occurrence);
  const at = names.indexOf("state");
  const ids = Array<string>(state.ids).fill(cronId);
  return [
    {
      ...miss,
      sql: `INSERT INTO _service_schedule_occurrences (${names.join(", ")}) SELECT ${values.join(", ")}
        WHERE EXISTS (SELECT 1 FROM _service_schedules s WHERE s.cron_id = ?)
        ON CONFLICT (cron_id, scheduled_at_ms) DO NOTHING`,
      params: [...written.slice(0, at), ...ids, ...written.slice(at + 1), cronId],
    },
    {
      sql: `UPDATE _service_schedule_occurrences
        SET is_open = 0, input_json = NULL, run_id = NULL, settled_at_ms = recorded_at_ms, reason = ?
        WHERE ${AT} AND state = 'skipped-overlap' AND settled_at_ms IS NULL`,
      params: [OVERLAPS[overlap], cronId, occurrence.scheduledAtMs],
    },
  ];
}

/** One that no process was there for. */
export function insertMissed(occurrence: Occurrence): Statement {
  return {
    sql: `INSERT INTO _service_schedule_occurrences (${occurrenceTable.names()})
      VALUES (${placeholders(occurrenceTable.width)}) ON CONFLICT (cron_id, scheduled_at_ms) DO NOTHING`,
    params: occurrenceTable.write(occurrence),
  };
}

export function getOccurrence(cronId: string, scheduledAtMs: number): Query<Occurrence | undefined> {
  return {
    sql: `${SELECT} WHERE ${AT}`,
    params: [cronId, scheduledAtMs],
    read: (rows) => occurrenceTable.first(rows),
  };
}

/** Newest first. */
export function listOccurrences({ cronId, limit }: OccurrenceFilter): Query<Occurrence[]> {
  const where = cronId === undefined ? "" : " WHERE cron_id = ?";
  return {
    sql: `${SELECT}${where} ORDER BY scheduled_at_ms DESC, cron_id LIMIT ?`,
    params: [...(cronId === undefined ? [] : [cronId]), limit],
    read: (rows) => occurrenceTable.all(rows),
  };
}

const keys = occurrenceTable.pick("cronId", "scheduledAtMs");

export function listOpen(): Query<OccurrenceKey[]> {
  return {
    sql: `SELECT ${keys.names()} FROM _service_schedule_occurrences WHERE is_open = 1 ORDER BY scheduled_at_ms`,
    params: [],
    read: (rows) => keys.all(rows),
  };
}

/** Whether it was released: nothing before it is open any more. */
export function nextOfQueue(cronId: string, scheduledAtMs: number): Query<boolean> {
  return touched({
    sql: `UPDATE _service_schedule_occurrences SET state = 'pending' WHERE ${AT} AND state = 'queued'
      AND NOT EXISTS (SELECT 1 FROM _service_schedule_occurrences o
        WHERE o.cron_id = ? AND o.is_open = 1 AND o.state <> 'queued')`,
    params: [cronId, scheduledAtMs, cronId],
  });
}

/** Whether it was pending still. */
export function completePending(occurrence: Occurrence): Query<boolean> {
  const members = ["state", "settledAtMs", "input", "runId", "isOpen", "error"] as const;
  const set = members.map((member) => `${occurrenceTable.columns[member].name} = ?`).join(", ");
  return touched({
    sql: `UPDATE _service_schedule_occurrences SET ${set} WHERE ${AT} AND state = 'pending'`,
    params: [
      ...members.map((member) => occurrenceTable.writeMember(member, occurrence[member])),
      occurrence.cronId,
      occurrence.scheduledAtMs,
    ],
  });
}

export function closeFired(cronId: string, scheduledAtMs: number): Statement {
  return {
    sql: `UPDATE _service_schedule_occurrences SET is_open = 0 WHERE ${AT} AND state = 'fired'`,
    params: [cronId, scheduledAtMs],
  };
}

export function pruneOccurrences(beforeMs: number): Statement {
  return {
    sql: "DELETE FROM _service_schedule_occurrences WHERE recorded_at_ms < ? AND is_open = 0",
    params: [beforeMs],
  };
}

/** A conditional write by itself; whether it found its row. */
export function touched({ sql, params }: Statement): Query<boolean> {
  return { sql: `${sql} RETURNING 1`, params, read: (rows) => rows.length > 0 };
}
