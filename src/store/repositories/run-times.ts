import { RUN_STATUSES, type RunStatus } from "../../model/run.js";
import type { RunTimeFilter, RunTimeGroup } from "../filters.js";
import type { Query } from "../sql-port.js";
import { chosenRuns, type RunSources } from "./chosen-runs.js";

/** All statuses where none is chosen: the index of statuses and times answers that; the rest is looked up in the rows that are left. */
function chosen(filter: RunTimeFilter, sources: RunSources) {
  const statuses = filter.statuses ?? [...RUN_STATUSES];
  const { conditions, params } = chosenRuns({ ...filter, statuses }, sources);
  return { clause: conditions.join(" AND "), params };
}

/** How many runs of each status were made in each span of `stepMs`, counted from the epoch. Spans without runs are left out. */
export function countRunsByTime(
  filter: RunTimeFilter,
  stepMs: number,
  sources: RunSources,
): Query<RunTimeGroup[]> {
  const { clause, params } = chosen(filter, sources);
  return {
    // Drivers give numbers as floating ones, and so does the time of a server's column: the quotient would be one.
    sql: `SELECT CAST(r.created_at_ms AS BIGINT) / CAST(? AS BIGINT), r.status, count(*) FROM _service_runs r
      WHERE ${clause} GROUP BY 1, 2 ORDER BY 1, 2`,
    params: [stepMs, ...params],
    read: (rows) =>
      rows.map(([span, status, count]) => ({
        startMs: Number(span) * stepMs,
        status: status as RunStatus,
        count: Number(count),
      })),
  };
}

/** When the oldest of the runs was made; undefined without one. */
export function oldestRun(filter: RunTimeFilter, sources: RunSources): Query<number | undefined> {
  const { clause, params } = chosen(filter, sources);
  return {
    sql: `SELECT min(r.created_at_ms) FROM _service_runs r WHERE ${clause}`,
    params,
    read: ([row]) => (row?.[0] == null ? undefined : Number(row[0])),
  };
}
