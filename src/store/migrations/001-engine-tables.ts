import type { Migration } from "./dialect.js";

/**
 * Rows of a run carry its number (`run_no`), not its id: a small integer keeps
 * keys short, and these tables are written on every step. Tables that grow with
 * the tasks of a run live inside their key's tree for the same reason.
 */
export const engineTables: Migration = {
  version: 1,
  name: "engine tables",
  statements: ({ serialKey, integer, compact }) => [
    `CREATE TABLE _service_runs (
      run_no ${serialKey},
      run_id TEXT NOT NULL UNIQUE,
      parent_run_id TEXT,
      workflow_name TEXT NOT NULL,
      workflow_path TEXT,
      workflow_hash TEXT,
      status TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL,
      started_at_ms ${integer},
      finished_at_ms ${integer},
      heartbeat_at_ms ${integer},
      owner_id TEXT,
      epoch ${integer} NOT NULL,
      frame_no ${integer} NOT NULL,
      next_seq ${integer} NOT NULL,
      next_run_id TEXT,
      error_json TEXT,
      summary_json TEXT
    )`,
    "CREATE INDEX _service_runs_by_status ON _service_runs (status, created_at_ms)",
    "CREATE INDEX _service_runs_by_parent ON _service_runs (parent_run_id) WHERE parent_run_id IS NOT NULL",
    "CREATE INDEX _service_runs_by_time ON _service_runs (created_at_ms)",
    // Apart from the run row, which every commit rewrites: a configuration can be megabytes.
    `CREATE TABLE _service_run_configs (
      run_no ${integer} NOT NULL PRIMARY KEY,
      config_json TEXT NOT NULL
    )`,
    `CREATE TABLE _service_nodes (
      run_no ${integer} NOT NULL,
      node_id TEXT NOT NULL,
      iteration ${integer} NOT NULL,
      state TEXT NOT NULL,
      last_attempt ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      failure_fingerprint TEXT,
      identical_failures ${integer} NOT NULL,
      due_at_ms ${integer},
      waiting_since_ms ${integer},
      output_key TEXT NOT NULL,
      loop_id TEXT,
      label TEXT,
      fingerprint TEXT NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      finished_seq ${integer},
      error_json TEXT,
      PRIMARY KEY (run_no, node_id, iteration)
    ) ${compact}`,
    `CREATE TABLE _service_attempts (
      run_no ${integer} NOT NULL,
      node_id TEXT NOT NULL,
      iteration ${integer} NOT NULL,
      attempt ${integer} NOT NULL,
      state TEXT NOT NULL,
      started_at_ms ${integer} NOT NULL,
      finished_at_ms ${integer},
      heartbeat_at_ms ${integer},
      heartbeat_json TEXT,
      cached ${integer} NOT NULL,
      error_json TEXT,
      meta_json TEXT,
      PRIMARY KEY (run_no, node_id, iteration, attempt)
    ) ${compact}`,
    `CREATE TABLE _service_events (
      run_no ${integer} NOT NULL,
      seq ${integer} NOT NULL,
      type TEXT NOT NULL,
      timestamp_ms ${integer} NOT NULL,
      node_id TEXT,
      iteration ${integer},
      attempt ${integer},
      payload_json TEXT,
      PRIMARY KEY (run_no, seq)
    ) ${compact}`,
    `CREATE TABLE _service_frames (
      run_no ${integer} NOT NULL,
      frame_no ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      reason TEXT NOT NULL,
      node_id TEXT,
      iteration ${integer},
      PRIMARY KEY (run_no, frame_no)
    ) ${compact}`,
    // Only frames whose picture changed have a row here; the others show the latest one before them.
    `CREATE TABLE _service_snapshots (
      run_no ${integer} NOT NULL,
      frame_no ${integer} NOT NULL,
      encoding TEXT NOT NULL,
      snapshot_json TEXT NOT NULL,
      PRIMARY KEY (run_no, frame_no)
    )`,
    `CREATE TABLE _service_inbox (
      id ${serialKey},
      run_no ${integer} NOT NULL,
      kind TEXT NOT NULL,
      payload_json TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL,
      consumed_at_ms ${integer},
      dedupe_key TEXT,
      UNIQUE (run_no, dedupe_key)
    )`,
    "CREATE INDEX _service_inbox_pending ON _service_inbox (run_no, id) WHERE consumed_at_ms IS NULL",
    `CREATE TABLE _service_approvals (
      run_no ${integer} NOT NULL,
      node_id TEXT NOT NULL,
      iteration ${integer} NOT NULL,
      status TEXT NOT NULL,
      mode TEXT NOT NULL,
      request_json TEXT NOT NULL,
      options_json TEXT,
      allowed_scopes_json TEXT,
      allowed_users_json TEXT,
      request_hash TEXT NOT NULL,
      requested_at_ms ${integer} NOT NULL,
      decided_at_ms ${integer},
      decision_json TEXT,
      auto_approved ${integer} NOT NULL,
      PRIMARY KEY (run_no, node_id, iteration)
    )`,
    "CREATE INDEX _service_approvals_by_status ON _service_approvals (status, requested_at_ms)",
    `CREATE TABLE _service_controls (
      run_no ${integer} NOT NULL,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      state_json TEXT NOT NULL,
      PRIMARY KEY (run_no, kind, id)
    ) ${compact}`,
    `CREATE TABLE _service_usage (
      run_no ${integer} NOT NULL,
      node_id TEXT NOT NULL,
      iteration ${integer} NOT NULL,
      attempt ${integer} NOT NULL,
      call_no ${integer} NOT NULL,
      agent_id TEXT NOT NULL,
      model TEXT,
      input_tokens ${integer} NOT NULL,
      output_tokens ${integer} NOT NULL,
      cache_read_tokens ${integer},
      cache_write_tokens ${integer},
      reasoning_tokens ${integer},
      at_ms ${integer} NOT NULL,
      PRIMARY KEY (run_no, node_id, iteration, attempt, call_no)
    ) ${compact}`,
    `CREATE TABLE _service_cache (
      cache_key TEXT NOT NULL PRIMARY KEY,
      output_key TEXT NOT NULL,
      signature TEXT NOT NULL,
      columns_json TEXT NOT NULL,
      workflow_name TEXT NOT NULL,
      node_id TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer}
    )`,
    // The generated tables and how each of their columns is decoded, for readers without the workflow's schema.
    `CREATE TABLE _service_output_tables (
      table_name TEXT NOT NULL PRIMARY KEY,
      schema_key TEXT NOT NULL
    )`,
    `CREATE TABLE _service_output_columns (
      table_name TEXT NOT NULL,
      column_name TEXT NOT NULL,
      field TEXT NOT NULL,
      position ${integer} NOT NULL,
      kind TEXT NOT NULL,
      optional ${integer} NOT NULL,
      nullable ${integer} NOT NULL,
      PRIMARY KEY (table_name, column_name)
    )`,
  ],
};
