import type { Migration } from "./dialect.js";

/**
 * What whoever looks after runs has to know of them: the newest inbox entry that the
 * last owner took note of, how often in a row attempts of a node have died with their
 * process, and why nobody could continue with a run the last time.
 */
export const supervision: Migration = {
  version: 5,
  name: "supervision",
  statements: ({ integer }) => [
    `ALTER TABLE _service_runs ADD COLUMN seen_intent ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE _service_nodes ADD COLUMN interruptions ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE _service_resume_failures (
      run_no ${integer} NOT NULL PRIMARY KEY,
      failures ${integer} NOT NULL,
      error_json TEXT NOT NULL,
      failed_at_ms ${integer} NOT NULL,
      retry_at_ms ${integer} NOT NULL,
      newest_intent ${integer} NOT NULL,
      code TEXT
    )`,
  ],
};
