import type { RunRow } from "../../model/run.js";
import type { WakingQuery } from "../filters.js";
import type { Query, SqlValue } from "../sql-port.js";
import { isNoneOf } from "./rows.js";
import { HAS_UNKNOWN_STATUS, SELECT_RUNS, toRun } from "./runs.js";

const HAS_NEWS = `EXISTS (SELECT 1 FROM _service_inbox i
  WHERE i.run_no = r.run_no AND i.consumed_at_ms IS NULL AND i.seen = 0)`;

/**
 * A node that waits for its child run has it under an id that ends like this, no matter which run of the parent's chain began
 * it; one that continued as new may have ended since under another. Too many are no harm: each is looked at.
 */
const HAS_ENDED_CHILD = `EXISTS (SELECT 1 FROM _service_nodes n
  JOIN _service_runs c ON c.parent_run_id = r.run_id AND c.run_id LIKE '%:' || n.node_id || ':' || n.iteration
  WHERE n.run_no = r.run_no AND n.state IN ('waiting-approval', 'waiting-event', 'waiting-timer', 'waiting-quota')
  AND c.status IN ('continued', 'finished', 'failed', 'cancelled'))`;

/** The state of a child run in another database shows only there. */
const HAS_FOREIGN_CHILD = `EXISTS (SELECT 1 FROM _service_nodes n
  JOIN _service_attempts a ON a.run_no = n.run_no AND a.node_id = n.node_id AND a.iteration = n.iteration
    AND a.attempt = n.last_attempt
  WHERE n.run_no = r.run_no AND n.kind = 'subflow'
  AND n.state IN ('waiting-approval', 'waiting-event', 'waiting-timer', 'waiting-quota')
  AND a.has_foreign_child = 1)`;

const IS_WAITING = "r.status IN ('waiting-approval', 'waiting-event', 'waiting-timer', 'waiting-quota')";

const STIRS = `r.paused_json IS NULL AND (r.status = 'running'
  OR (${IS_WAITING}
    AND (r.owner_id IS NOT NULL OR r.wake_at_ms <= ? OR ${HAS_NEWS} OR ${HAS_ENDED_CHILD}
      OR ${HAS_FOREIGN_CHILD})))`;

const STATUSES =
  "r.status IN ('running', 'waiting-approval', 'waiting-event', 'waiting-timer', 'waiting-quota')";

/** Oldest first, so that new ones cannot keep an old one waiting. A run of unknown status might continue, and shows up as damaged. */
export function wakingRuns({ nowMs, except = [], after, limit }: WakingQuery): Query<RunRow[]> {
  const params: SqlValue[] = [nowMs, ...except];
  let isAfter = "";
  if (after !== undefined) {
    const { createdAtMs, runId } = after;
    isAfter = " AND (r.created_at_ms > ? OR (r.created_at_ms = ? AND r.run_id > ?))";
    params.push(createdAtMs, createdAtMs, runId);
  }
  return {
    sql: `${SELECT_RUNS} WHERE ((${STATUSES} AND ${STIRS}) OR ${HAS_UNKNOWN_STATUS}) AND ${isNoneOf("r.run_id", except.length)}${isAfter} ORDER BY r.created_at_ms, r.run_id LIMIT ?`,
    params: [...params, limit],
    read: (rows) => rows.map(toRun),
  };
}

/** When time alone makes one of the waiting runs due, epoch milliseconds; also a time that has passed. */
export function nextWake(): Query<number | undefined> {
  return {
    sql: `SELECT min(r.wake_at_ms) FROM _service_runs r WHERE ${IS_WAITING} AND r.paused_json IS NULL`,
    params: [],
    read: ([row]) => (row?.[0] == null ? undefined : Number(row[0])),
  };
}
