import { OPEN_STATUSES } from "../../model/run.js";
import type { WaitCounts } from "../../model/wait-counts.js";
import type { Query } from "../sql-port.js";
import { IS_UNANSWERED } from "./approvals.js";
import { isOneOf } from "./rows.js";

const STATUSES = OPEN_STATUSES;
const LIVES = isOneOf("r.status", STATUSES.length);

/** A subflow that waits with its child run has had an attempt; that wait is the child's. */
const nodesIn = (state: "waiting-event" | "waiting-timer") => `(SELECT count(*)
  FROM _service_runs r JOIN _service_nodes n ON n.run_no = r.run_no
  WHERE ${LIVES} AND n.state = '${state}' AND n.last_attempt = 0)`;

const SQL = `SELECT
  (SELECT count(*) FROM _service_approvals a JOIN _service_runs r ON r.run_no = a.run_no
    WHERE ${LIVES} AND a.status = 'requested' AND ${IS_UNANSWERED}),
  ${nodesIn("waiting-event")},
  ${nodesIn("waiting-timer")}`;

export function countWaits(): Query<WaitCounts> {
  return {
    sql: SQL,
    params: [...STATUSES, ...STATUSES, ...STATUSES],
    read: ([row = []]) => {
      const [approvals, events, timers] = row.map(Number);
      return { approvals: approvals ?? 0, events: events ?? 0, timers: timers ?? 0 };
    },
  };
}
