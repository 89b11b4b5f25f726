import type { CacheRow, UsageRow } from "../contract.js";
import { count, instant, json, nullable, optional, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { anything, listOf } from "../columns/shape.js";

export const usageTable = new RowTable<Omit<UsageRow, "runId">>({
  name: "_service_usage",
  key: ["nodeId", "iteration", "attempt", "callNo"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    attempt: count("attempt"),
    callNo: count("call_no"),
    agentId: text("agent_id"),
    model: optional(text("model")),
    inputTokens: count("input_tokens"),
    outputTokens: count("output_tokens"),
    cacheReadTokens: optional(count("cache_read_tokens")),
    cacheWriteTokens: optional(count("cache_write_tokens")),
    reasoningTokens: optional(count("reasoning_tokens")),
    atMs: instant("at_ms"),
    scorerId: optional(text("scorer_id")),
  },
});

export const cacheTable = new RowTable<CacheRow>({
  name: "_service_cache",
  key: ["cacheKey"],
  ofRun: false,
  columns: {
    cacheKey: text("cache_key"),
    outputKey: text("output_key"),
    signature: text("signature"),
    columns: json("columns_json", listOf(anything)),
    workflowName: text("workflow_name"),
    nodeId: text("node_id"),
    createdAtMs: instant("created_at_ms"),
    expiresAtMs: nullable(instant("expires_at_ms")),
  },
});
