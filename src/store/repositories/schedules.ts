import type { Schedule } from "../../model/schedule.js";
import { occurrenceTable, scheduleTable } from "../engine-tables/schedules.js";
import type { ScheduleChange } from "../host-records.js";
import type { Query, Statement } from "../sql-port.js";
import { insertAlone } from "./rows.js";

const SELECT = `SELECT ${scheduleTable.names()} FROM _service_schedules`;

/** Whether the row was inserted. */
export function insertSchedule(schedule: Schedule): Query<boolean> {
  return {
    sql: `${insertAlone(scheduleTable)} ON CONFLICT (cron_id) DO NOTHING RETURNING cron_id`,
    params: scheduleTable.write(schedule),
    read: (rows) => rows.length > 0,
  };
}

export function getSchedule(cronId: string): Query<Schedule | undefined> {
  return {
    sql: `${SELECT} WHERE cron_id = ?`,
    params: [cronId],
    read: (rows) => scheduleTable.first(rows),
  };
}

const keys = scheduleTable.pick("cronId");

export function listScheduleIds(): Query<string[]> {
  return {
    sql: `SELECT ${keys.names()} FROM _service_schedules ORDER BY cron_id`,
    params: [],
    read: (rows) => keys.all(rows).map(({ cronId }) => cronId),
  };
}

const SETTINGS = ["pattern", "timeZone", "overlap", "catchUp", "enabled", "input", "updatedAtMs"] as const;

/** @param onMiss the schedule is gone, or another one by now */
export function changeSchedule(change: ScheduleChange, onMiss: () => Error): Statement[] {
  const { cronId, coveredUntilMs, enabled, revision, updatedAtMs } = change;
  const columns = SETTINGS.map((member) => scheduleTable.columns[member].name);
  const update: Statement = {
    sql: `UPDATE _service_schedules SET ${columns.map((name) => `${name} = ?`).join(", ")},
      revision = revision + 1, covered_until_ms = COALESCE(?, covered_until_ms)
      WHERE cron_id = ? AND revision = ?`,
    params: [
      ...SETTINGS.map((member) => scheduleTable.writeMember(member, change[member])),
      coveredUntilMs ?? null,
      cronId,
      revision,
    ],
    expectRows: 1,
    onMiss,
  };
  return enabled ? [update] : [update, giveUpQueued(cronId, updatedAtMs)];
}

/** Whether there was one, and its history with it. */
export function deleteSchedule(cronId: string, onMiss: () => Error): Statement[] {
  return [
    {
      sql: "DELETE FROM _service_schedules WHERE cron_id = ?",
      params: [cronId],
      expectRows: 1,
      onMiss,
    },
    { sql: "DELETE FROM _service_schedule_occurrences WHERE cron_id = ?", params: [cronId] },
  ];
}

/** Moves the schedule on, if no other process has moved or changed it since it was `seen`. */
export function moveSchedule(seen: Schedule, coveredUntilMs: number, onMiss: () => Error): Statement {
  return {
    sql: `UPDATE _service_schedules SET covered_until_ms = ?
      WHERE cron_id = ? AND covered_until_ms = ? AND revision = ? AND enabled = 1`,
    params: [coveredUntilMs, seen.cronId, seen.coveredUntilMs, seen.revision],
    expectRows: 1,
    onMiss,
  };
}

function giveUpQueued(cronId: string, nowMs: number): Statement {
  return {
    sql: `UPDATE _service_schedule_occurrences
      SET state = 'skipped-overlap', is_open = 0, input_json = NULL, run_id = NULL, settled_at_ms = ?, reason = ?
      WHERE cron_id = ? AND state = 'queued'`,
    params: [
      occurrenceTable.writeMember("settledAtMs", nowMs),
      "The schedule was switched off while it waited for the run before it.",
      cronId,
    ],
  };
}
