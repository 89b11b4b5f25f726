import type { Migration } from "./dialect.js";

/** What hosts keep besides runs: schedules with the times at which they were due, and what came to webhooks. */
export const schedulesAndWebhooks: Migration = {
  version: 6,
  name: "schedules and webhooks",
  statements: ({ integer }) => [
    `CREATE TABLE _service_schedules (
      cron_id TEXT NOT NULL PRIMARY KEY,
      workflow_key TEXT NOT NULL,
      pattern TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      overlap TEXT NOT NULL,
      catch_up TEXT NOT NULL,
      enabled ${integer} NOT NULL,
      input_json TEXT NOT NULL,
      created_by TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      covered_until_ms ${integer} NOT NULL
    )`,
    `CREATE TABLE _service_schedule_occurrences (
      cron_id TEXT NOT NULL,
      scheduled_at_ms ${integer} NOT NULL,
      trigger_kind TEXT NOT NULL,
      state TEXT NOT NULL,
      recorded_at_ms ${integer} NOT NULL,
      settled_at_ms ${integer},
      auth_json TEXT NOT NULL,
      input_json TEXT,
      run_id TEXT,
      is_open ${integer} NOT NULL,
      reason TEXT,
      error_json TEXT,
      PRIMARY KEY (cron_id, scheduled_at_ms)
    )`,
    "CREATE INDEX _service_schedule_occurrences_open ON _service_schedule_occurrences (cron_id) WHERE is_open = 1",
    `CREATE TABLE _service_webhook_deliveries (
      webhook_key TEXT NOT NULL,
      delivery_key TEXT NOT NULL,
      body_digest TEXT NOT NULL,
      state TEXT NOT NULL,
      received_at_ms ${integer} NOT NULL,
      settled_at_ms ${integer},
      repeats ${integer} NOT NULL,
      plan_json TEXT,
      result_json TEXT,
      error_json TEXT,
      PRIMARY KEY (webhook_key, delivery_key)
    )`,
    "CREATE INDEX _service_webhook_deliveries_by_body ON _service_webhook_deliveries (webhook_key, body_digest)",
    "CREATE INDEX _service_webhook_deliveries_by_time ON _service_webhook_deliveries (received_at_ms)",
  ],
};
