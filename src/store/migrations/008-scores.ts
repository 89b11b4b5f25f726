import type { Migration } from "./dialect.js";

/** What scorers say of tasks. A row is there from the commit that finishes the task; how it ends comes later. */
export const scores: Migration = {
  version: 8,
  name: "scores",
  statements: ({ integer, real, compact }) => [
    `CREATE TABLE _service_scores (
      run_no ${integer} NOT NULL,
      node_id TEXT NOT NULL,
      iteration ${integer} NOT NULL,
      attempt ${integer} NOT NULL,
      scorer_id TEXT NOT NULL,
      source TEXT NOT NULL,
      id TEXT NOT NULL,
      scorer_name TEXT NOT NULL,
      state TEXT NOT NULL,
      score ${real},
      reason TEXT,
      error_json TEXT,
      meta_json TEXT,
      input_json TEXT,
      output_json TEXT,
      ground_truth_json TEXT,
      context_json TEXT,
      latency_ms ${integer},
      sampled_at_ms ${integer} NOT NULL,
      scored_at_ms ${integer},
      duration_ms ${integer},
      PRIMARY KEY (run_no, node_id, iteration, attempt, scorer_id, source)
    ) ${compact}`,
    "CREATE INDEX _service_scores_pending ON _service_scores (run_no) WHERE state = 'pending'",
  ],
};
