import type { UsageRow } from "../contract.js";
import { usageTable } from "../engine-tables/usage.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(usageTable);

export function upsertUsage(runNo: number, usage: UsageRow): Statement {
  return { sql: UPSERT, params: usageTable.writeOf(runNo, usage), isRow: true };
}

/** In order of time. */
export function listUsage(runId: string): Query<UsageRow[]> {
  return {
    sql: `SELECT ${usageTable.names()} FROM _service_usage
      WHERE run_no = ${RUN_NO} ORDER BY at_ms, node_id, iteration, attempt, call_no`,
    params: [runId],
    read: (rows) => usageTable.all(rows, runId).map((row) => ({ runId, ...row })),
  };
}
