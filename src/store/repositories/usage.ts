import type { TaskPlace } from "../../model/address.js";
import type { UsageRow } from "../contract.js";
import { usageTable } from "../engine-tables/usage.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(usageTable);

export function upsertUsage(runNo: number, usage: UsageRow): Statement {
  return { sql: UPSERT, params: usageTable.writeOf(runNo, usage), isRow: true };
}

/** Of a run, or of one iteration of a node, in order of time. */
export function listUsage(runId: string, node?: TaskPlace): Query<UsageRow[]> {
  const ofNode = node === undefined ? "" : "AND node_id = ? AND iteration = ? ";
  return {
    sql: `SELECT ${usageTable.names()} FROM _service_usage
      WHERE run_no = ${RUN_NO} ${ofNode}ORDER BY at_ms, node_id, iteration, attempt, call_no`,
    params: node === undefined ? [runId] : [runId, node.nodeId, node.iteration],
    read: (rows) => usageTable.all(rows, runId).map((row) => ({ runId, ...row })),
  };
}

/** Tokens in and out of all calls of a run. */
export function usedTokens(runId: string): Query<number> {
  return {
    sql: `SELECT coalesce(sum(input_tokens), 0) + coalesce(sum(output_tokens), 0) FROM _service_usage WHERE run_no = ${RUN_NO}`,
    params: [runId],
    read: ([row]) => Number(row?.[0] ?? 0),
  };
}
