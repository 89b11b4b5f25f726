import {
  CATCH_UP_POLICIES,
  OCCURRENCE_STATES,
  type Occurrence,
  OVERLAP_POLICIES,
  type Schedule,
} from "../../model/schedule.js";
import { count, flag, instant, json, nullable, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { anything, recordOf } from "../columns/shape.js";
import { errorShape } from "./error-shape.js";
import { authShape } from "./runs.js";

export const scheduleTable = new RowTable<Schedule>({
  name: "_service_schedules",
  key: ["cronId"],
  ofRun: false,
  columns: {
    cronId: text("cron_id"),
    workflowKey: text("workflow_key"),
    pattern: text("pattern"),
    timeZone: text("time_zone"),
    overlap: oneOf("overlap", OVERLAP_POLICIES),
    catchUp: oneOf("catch_up", CATCH_UP_POLICIES),
    enabled: flag("enabled"),
    input: json("input_json", recordOf(anything)),
    createdBy: text("created_by"),
    createdAtMs: instant("created_at_ms"),
    updatedAtMs: instant("updated_at_ms"),
    revision: count("revision"),
    coveredUntilMs: instant("covered_until_ms"),
  },
});

export const occurrenceTable = new RowTable<Occurrence>({
  name: "_service_schedule_occurrences",
  key: ["cronId", "scheduledAtMs"],
  ofRun: false,
  storage: { indexes: { open: { on: ["cron_id"], where: "is_open = 1" } } },
  columns: {
    cronId: text("cron_id"),
    scheduledAtMs: instant("scheduled_at_ms"),
    trigger: oneOf("trigger_kind", ["schedule", "manual"]),
    state: oneOf("state", OCCURRENCE_STATES),
    recordedAtMs: instant("recorded_at_ms"),
    settledAtMs: nullable(instant("settled_at_ms")),
    auth: json("auth_json", authShape),
    input: nullable(json("input_json", recordOf(anything))),
    runId: nullable(text("run_id")),
    isOpen: flag("is_open"),
    reason: nullable(text("reason")),
    error: nullable(json("error_json", errorShape)),
  },
});
