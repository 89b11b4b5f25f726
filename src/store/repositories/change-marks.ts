import { isTerminal, RUN_STATUSES } from "../../model/run.js";
import type { ChangeMark } from "../change-marks.js";
import type { Query } from "../sql-port.js";
import { IS_ANSWERED } from "./approvals.js";
import { isOneOf } from "./rows.js";

const LIVING = RUN_STATUSES.filter((status) => !isTerminal(status));
const LIVES = isOneOf("r.status", LIVING.length);

const flag = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
const together = (...parts: string[]) => parts.join(" || ' ' || ");

const RUN = together(
  "r.status",
  "r.next_seq",
  "r.epoch",
  flag("r.owner_id IS NULL"),
  flag("r.paused_json IS NULL"),
  "coalesce(f.failures, 0)",
);
const APPROVAL = together("a.node_id", "a.iteration", "a.requested_at_ms", "a.status", flag(IS_ANSWERED));
const SCHEDULE = together("s.workflow_key", "s.revision", "s.covered_until_ms", "s.updated_at_ms");
const OCCURRENCE = together("o.scheduled_at_ms", "o.state", "o.is_open", "coalesce(o.run_id, '')");

/** Deliveries whose changes are looked for: the newest of all webhooks. */
const NEWEST = 100;
const sum = (column: string) => `coalesce(sum(${column}), 0)`;
const DELIVERIES = together(
  "count(*)",
  "max(d.received_at_ms)",
  sum("d.settled_at_ms"),
  sum("d.repeats"),
  sum(flag("d.state = 'done'")),
);
const REFUSALS = together("count(*)", "max(w.refused_at_ms)", sum("w.requests"));

const SQL = `SELECT 'count', '', count(*) || '', max(run_no) FROM _service_runs
UNION ALL SELECT 'runs', r.run_id, ${RUN}, r.run_no FROM _service_runs r
  LEFT JOIN _service_resume_failures f ON f.run_no = r.run_no WHERE ${LIVES}
UNION ALL SELECT 'ended', r.run_id, r.epoch || '', r.run_no FROM _service_runs r WHERE r.run_no > ? AND NOT ${LIVES}
UNION ALL SELECT 'approvals', r.run_id, ${APPROVAL}, 0 FROM _service_approvals a
  JOIN _service_runs r ON r.run_no = a.run_no WHERE ${LIVES}
UNION ALL SELECT 'schedules', s.cron_id, ${SCHEDULE}, 0 FROM _service_schedules s
UNION ALL SELECT 'schedules', o.cron_id, ${OCCURRENCE}, 0 FROM _service_schedule_occurrences o
  WHERE o.is_open = 1 OR o.scheduled_at_ms = (SELECT max(n.scheduled_at_ms)
    FROM _service_schedule_occurrences n WHERE n.cron_id = o.cron_id)
UNION ALL SELECT 'webhooks', d.webhook_key, ${DELIVERIES}, 0 FROM (
  SELECT webhook_key, received_at_ms, settled_at_ms, repeats, state FROM _service_webhook_deliveries
  ORDER BY received_at_ms DESC LIMIT ${NEWEST}) d GROUP BY d.webhook_key
UNION ALL SELECT 'webhooks', w.webhook_key, ${REFUSALS}, 0 FROM _service_webhook_refusals w GROUP BY w.webhook_key`;

/** Of the runs that have not ended, of their approvals, of all schedules and webhooks, and of runs with a greater number that have ended. */
export function changeMarks(afterRunNo: number): Query<ChangeMark[]> {
  return {
    sql: SQL,
    params: [...LIVING, afterRunNo, ...LIVING, ...LIVING],
    read: (rows) =>
      rows.map(([kind, id, mark, no]) => ({ kind, id, mark, no: Number(no ?? 0) }) as ChangeMark),
  };
}
