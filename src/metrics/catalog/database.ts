import { FAST_MS } from "../buckets.js";
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
    "Milliseconds of one writing transaction, waiting for locks and the disk included.",
    { bounds: FAST_MS },
  ),
};
