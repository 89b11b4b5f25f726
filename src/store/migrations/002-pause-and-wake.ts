import type { Migration } from "./dialect.js";

/**
 * Whoever looks for runs to continue with reads it off the run row: whether the run is
 * paused, and when it moves by itself.
 */
export const pauseAndWake: Migration = {
  version: 2,
  name: "pause and wake",
  statements: ({ integer }) => [
    "ALTER TABLE _service_runs ADD COLUMN paused_json TEXT",
    `ALTER TABLE _service_runs ADD COLUMN wake_at_ms ${integer}`,
    `UPDATE _service_runs SET wake_at_ms =
      (SELECT min(n.due_at_ms) FROM _service_nodes n WHERE n.run_no = _service_runs.run_no)
      WHERE status LIKE 'waiting-%'`,
  ],
};
