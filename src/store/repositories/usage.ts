import type { UsageRow } from "../contract.js";
import type { Query, SqlRow, Statement } from "../sql-port.js";
import { count, instant, text } from "./cells.js";
import { each, RUN_NO, upsertSql } from "./rows.js";

const KEYS = ["run_no", "node_id", "iteration", "attempt", "call_no"];
const FIELDS = [
  "agent_id",
  "model",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "at_ms",
];

const UPSERT = upsertSql("_service_usage", KEYS, FIELDS);

export function upsertUsage(runNo: number, usage: UsageRow): Statement {
  return {
    sql: UPSERT,
    params: [
      runNo,
      usage.nodeId,
      usage.iteration,
      usage.attempt,
      usage.callNo,
      usage.agentId,
      usage.model ?? null,
      usage.inputTokens,
      usage.outputTokens,
      usage.cacheReadTokens ?? null,
      usage.cacheWriteTokens ?? null,
      usage.reasoningTokens ?? null,
      usage.atMs,
    ],
  };
}

/** In order of time. */
export function listUsage(runId: string): Query<UsageRow[]> {
  return {
    sql: `SELECT node_id, iteration, attempt, call_no, ${FIELDS.join(", ")} FROM _service_usage
      WHERE run_no = ${RUN_NO} ORDER BY at_ms, node_id, iteration, attempt, call_no`,
    params: [runId],
    read: each("_service_usage", (row) => toUsage(runId, row)),
  };
}

function toUsage(runId: string, row: SqlRow): UsageRow {
  const [
    nodeId,
    iteration,
    attempt,
    callNo,
    agentId,
    model,
    input,
    output,
    cacheRead,
    cacheWrite,
    reasoning,
    atMs,
  ] = row;
  return {
    runId,
    nodeId: text(nodeId),
    iteration: count(iteration),
    attempt: count(attempt),
    callNo: count(callNo),
    agentId: text(agentId),
    ...(model !== null && { model: text(model) }),
    inputTokens: count(input),
    outputTokens: count(output),
    ...(cacheRead !== null && { cacheReadTokens: count(cacheRead) }),
    ...(cacheWrite !== null && { cacheWriteTokens: count(cacheWrite) }),
    ...(reasoning !== null && { reasoningTokens: count(reasoning) }),
    atMs: instant(atMs),
  };
}
