import type { Migration } from "./dialect.js";

const WAITS = "LIKE 'waiting-%'";

/** Waiting runs that may continue are found without a look at those that only wait. */
export const wakingRuns: Migration = {
  version: 22,
  name: "waking runs",
  statements: () => [
    `CREATE INDEX _service_runs_held ON _service_runs (status) WHERE owner_id IS NOT NULL AND status ${WAITS}`,
    `CREATE INDEX _service_runs_by_wake ON _service_runs (wake_at_ms)
      WHERE wake_at_ms IS NOT NULL AND status ${WAITS}`,
    `CREATE INDEX _service_inbox_unseen ON _service_inbox (run_no) WHERE consumed_at_ms IS NULL AND seen = 0`,
    `CREATE INDEX _service_nodes_for_child ON _service_nodes (run_no)
      WHERE state ${WAITS} AND (kind IS NULL OR kind IN ('subflow', 'sandbox'))`,
  ],
};
