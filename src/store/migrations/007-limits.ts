import type { Migration } from "./dialect.js";

/**
 * Limits that the runs of a database share. Rows hold as long as the lease of their
 * run does: those of an earlier epoch, or of a dead owner, count for nothing and are
 * cleared away by whoever looks next.
 */
export const limits: Migration = {
  version: 7,
  name: "limits",
  statements: ({ serialKey, integer, compact }) => [
    `CREATE TABLE _service_limit_declarations (
      run_no ${integer} NOT NULL,
      name TEXT NOT NULL,
      epoch ${integer} NOT NULL,
      concurrency ${integer},
      per_minute ${integer},
      PRIMARY KEY (run_no, name)
    ) ${compact}`,
    "CREATE INDEX _service_limit_declarations_by_name ON _service_limit_declarations (name)",
    `CREATE TABLE _service_limit_slots (
      id ${serialKey},
      run_no ${integer} NOT NULL,
      node_id TEXT NOT NULL,
      iteration ${integer} NOT NULL,
      limit_name TEXT NOT NULL,
      epoch ${integer} NOT NULL,
      taken_at_ms ${integer} NOT NULL,
      is_counted ${integer} NOT NULL,
      is_free ${integer} NOT NULL
    )`,
    "CREATE INDEX _service_limit_slots_by_run ON _service_limit_slots (run_no, node_id, iteration)",
    `CREATE TABLE _service_limit_waiters (
      run_no ${integer} NOT NULL,
      limits_json TEXT NOT NULL,
      epoch ${integer} NOT NULL,
      place ${integer} NOT NULL,
      nodes_json TEXT NOT NULL,
      since_ms ${integer} NOT NULL,
      PRIMARY KEY (run_no, limits_json)
    ) ${compact}`,
  ],
};
