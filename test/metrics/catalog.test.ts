import { describe, expect, it } from "vitest";
import { serviceMetrics } from "../../src/index.js";

/** Kinds and names, without `service_`, that the package promises. */
const PROMISED = {
  counter: `
    runs_total runs_finished_total runs_failed_total runs_cancelled_total runs_resumed_total runs_continued_total
    nodes_started nodes_finished nodes_failed node_retries_total errors_total events_emitted_total
    snapshots_captured forks_created replays_started
    approvals_requested approvals_granted approvals_denied timers_created timers_fired timers_cancelled
    cache_hits cache_misses tokens_input_total tokens_output_total tokens_cache_read_total tokens_cache_write_total
    tokens_reasoning_total
    db_retries db_transaction_retries db_transaction_rollbacks
    http_requests hot_reloads hot_reload_failures
    tool_calls_total tool_calls_errors_total tool_output_truncated_total
    sandbox_created_total sandbox_completed_total
    memory_fact_reads memory_fact_writes memory_recall_queries memory_message_saves
    openapi_tool_calls openapi_tool_call_errors`,
  gauge: `
    runs_active nodes_active scheduler_queue_depth scheduler_concurrency_utilization
    approval_pending external_wait_async_pending timers_pending sandbox_active
    process_uptime_seconds process_memory_rss_bytes process_heap_used_bytes`,
  histogram: `
    run_duration_ms node_duration_ms attempt_duration_ms scheduler_wait_duration_ms snapshot_duration_ms
    approval_wait_duration_ms timers_delay_ms
    tokens_input_per_call tokens_output_per_call tokens_context_window_per_call
    db_query_ms db_transaction_ms http_request_duration_ms hot_reload_duration_ms tool_duration_ms
    sandbox_duration_ms sandbox_bundle_size_bytes sandbox_transport_duration_ms sandbox_patch_count
    memory_recall_duration_ms openapi_tool_duration_ms vcs_duration_ms`,
};

/** Beside those, of what this package has more. */
const MORE = {
  counter: `
    rpc_requests websocket_connections_total streams_opened_total schedule_occurrences_total
    webhook_deliveries_total`,
  gauge: `websocket_connections streams_active`,
  histogram: `rpc_request_duration_ms db_lock_wait_ms`,
};

const promised = [PROMISED, MORE].flatMap((kinds) =>
  Object.entries(kinds).flatMap(([type, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ type, name: `service_${name}` })),
  ),
);
const entries = Object.entries(serviceMetrics);

describe("the catalog", () => {
  it("has every promised metric in its kind, and no other", () => {
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const actual = entries.map(([, { type, name }]) => ({ type, name }));
    expect(actual.sort(byName)).toEqual(promised.sort(byName));
  });

  it.each(entries)("calls by the key %s the metric of that name", (key, { name }) => {
    expect(`service_${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`).toBe(name);
  });

  it.each(entries)("says in a sentence what %s counts", (_key, { help }) => {
    expect(help).toMatch(/^[A-Z].{5,}\.$/);
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(serviceMetrics)).toBe(true);
  });

  it("orders the bounds of each histogram", () => {
    for (const [key, metric] of entries) {
      if (!("bounds" in metric)) continue;
      expect(metric.bounds.length, key).toBeGreaterThan(0);
      expect(
        [...metric.bounds].sort((a, b) => a - b),
        key,
      ).toEqual(metric.bounds);
    }
  });
});
