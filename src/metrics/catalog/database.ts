import { DURATION_MS, FAST_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Histogram } from "../histogram.js";

/** The store. */
export const databaseMetrics = {
  dbRetries: new Counter(
    "service_db_retries",
    "Times that something was tried again because the database was locked.",
  ),
  dbTransactionRetries: new Counter(
    "service_db_transaction_retries",
    "Writing transactions tried again because the database was locked.",
  ),
  dbTransactionRollbacks: new Counter("service_db_transaction_rollbacks", "Transactions rolled back."),
  dbQueryMs: new Histogram("service_db_query_ms", "Milliseconds of one read.", { bounds: FAST_MS }),
  dbTransactionMs: new Histogram(
    "service_db_transaction_ms",
    "Milliseconds of one writing transaction, waiting for the disk included.",
    { bounds: FAST_MS },
  ),
  dbLockWaitMs: new Histogram(
    "service_db_lock_wait_ms",
    "Milliseconds that a request waited for another process's lock, without holding the thread.",
    { bounds: DURATION_MS },
  ),
};
