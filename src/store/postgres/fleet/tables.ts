import type { Statement } from "../../sql-port.js";
import { POSTGRES_WORDS } from "../dialect.js";

const { text, integer } = POSTGRES_WORDS;

/**
 * Tables of the fleet, in the schema of the engine's. They hold nothing that outlives an attempt, so they are no part
 * of the engine's own, which every database has and which are kept from version to version.
 */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS _service_workers (
    id ${text} PRIMARY KEY,
    state ${text} NOT NULL,
    heartbeat_at TIMESTAMPTZ NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS _service_dispatches (
    id ${text} PRIMARY KEY,
    run_no ${integer} NOT NULL REFERENCES _service_runs (run_no) ON DELETE CASCADE,
    node_id ${text} NOT NULL,
    iteration ${integer} NOT NULL,
    attempt ${integer} NOT NULL,
    epoch ${integer} NOT NULL,
    driver_id ${text} NOT NULL,
    queue ${text} NOT NULL,
    code ${text} NOT NULL,
    identifier ${text} NOT NULL,
    job ${text} NOT NULL,
    job_id BIGINT,
    worker_id ${text},
    abort ${text},
    hand_over ${integer} NOT NULL DEFAULT 0,
    dispatched_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (run_no, node_id, iteration, attempt)
  )`,
  "CREATE INDEX IF NOT EXISTS _service_dispatches_by_driver ON _service_dispatches (driver_id)",
  "CREATE INDEX IF NOT EXISTS _service_dispatches_by_worker ON _service_dispatches (worker_id)",
  `CREATE TABLE IF NOT EXISTS _service_dispatch_reports (
    dispatch_id ${text} NOT NULL REFERENCES _service_dispatches (id) ON DELETE CASCADE,
    seq ${integer} NOT NULL,
    body ${text} NOT NULL,
    PRIMARY KEY (dispatch_id, seq)
  )`,
];

export const fleetTables: readonly Statement[] = TABLES.map((sql) => ({ sql, params: [] }));
