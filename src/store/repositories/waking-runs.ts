import { RUN_STATUSES, type RunRow } from "../../model/run.js";
import { IS_UNSEEN } from "../engine-tables/inbox.js";
import { WAITS_FOR_CHILD } from "../engine-tables/nodes.js";
import { RUN_WAITS } from "../engine-tables/runs.js";
import type { WakingQuery } from "../filters.js";
import type { Query, SqlValue } from "../sql-port.js";
import { isBetween, isNoneOf } from "./rows.js";
import { SELECT_RUNS, toRun } from "./runs.js";

/**
 * A node that waits for its child run has it under an id that ends like this, no matter which run of the parent's chain began
 * it; one that continued as new may have ended since under another. Too many are no harm: each is looked at.
 */
const HAVE_ENDED_CHILD = `SELECT n.run_no FROM _service_nodes n WHERE n.${WAITS_FOR_CHILD} AND EXISTS (
  SELECT 1 FROM _service_runs p JOIN _service_runs c ON c.parent_run_id = p.run_id
  WHERE p.run_no = n.run_no AND c.run_id LIKE '%:' || n.node_id || ':' || n.iteration
  AND c.status <> 'running' AND NOT c.${RUN_WAITS})`;

/** The state of a child run in another database shows only there. */
const HAVE_FOREIGN_CHILD = `SELECT n.run_no FROM _service_nodes n
  JOIN _service_attempts a ON a.run_no = n.run_no AND a.node_id = n.node_id AND a.iteration = n.iteration
    AND a.attempt = n.last_attempt
  WHERE n.${WAITS_FOR_CHILD} AND n.kind = 'subflow' AND a.has_foreign_child = 1`;

/**
 * Numbers of the runs that stir, each part found by an index of nothing but such rows: thousands of runs that only wait
 * cost nothing. Parameter: the present.
 */
const STIRRING = `SELECT run_no FROM _service_runs WHERE status = 'running'
  UNION ALL SELECT run_no FROM _service_runs WHERE owner_id IS NOT NULL AND ${RUN_WAITS}
  UNION ALL SELECT run_no FROM _service_runs WHERE wake_at_ms IS NOT NULL AND ${RUN_WAITS} AND wake_at_ms <= ?
  UNION ALL SELECT run_no FROM _service_inbox WHERE ${IS_UNSEEN}
  UNION ALL ${HAVE_ENDED_CHILD}
  UNION ALL ${HAVE_FOREIGN_CHILD}
  UNION ALL SELECT run_no FROM _service_runs WHERE ${isBetween("status", RUN_STATUSES)}`;

/** Of a run among them: news of a run that has ended, or is paused, continue nothing. */
const MAY_CONTINUE = `((r.paused_json IS NULL AND (r.status = 'running' OR r.${RUN_WAITS}))
  OR ${isBetween("r.status", RUN_STATUSES)})`;

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
    sql: `${SELECT_RUNS} WHERE r.run_no IN (${STIRRING}) AND ${MAY_CONTINUE}
      AND ${isNoneOf("r.run_id", except.length)}${isAfter} ORDER BY r.created_at_ms, r.run_id LIMIT ?`,
    params: [...params, limit],
    read: (rows) => rows.map(toRun),
  };
}

/** When time alone makes one of the waiting runs due, epoch milliseconds; also a time that has passed. */
export function nextWake(): Query<number | undefined> {
  return {
    sql: `SELECT wake_at_ms FROM _service_runs
      WHERE wake_at_ms IS NOT NULL AND ${RUN_WAITS} AND paused_json IS NULL ORDER BY wake_at_ms LIMIT 1`,
    params: [],
    read: ([row]) => (row?.[0] == null ? undefined : Number(row[0])),
  };
}
