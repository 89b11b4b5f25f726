import { serviceMetrics } from "../../metrics/catalog.js";
import type { SqlActivity } from "../sql-port.js";
import { monotonicMs } from "../../util/monotonic-ms.js";
import { isBusy, toStoreError } from "./errors.js";

export interface BusyPolicy {
  /** Database as messages name it. */
  path: string;
  /** How long to continue trying for a lock that others hold, milliseconds. */
  busyTimeoutMs: number;
}

/** First pause between two attempts at a lock, milliseconds; it doubles. */
const FIRST_PAUSE_MS = 5;

/**
 * Runs `body`, again when the database is locked. SQLite waits for locks by
 * itself, but some refusals come at once (a file that changes its journal mode,
 * a log being recovered); those are tried again until the waiting time is over.
 *
 * @throws driver errors as ServiceErrors, everything else as it is
 */
export function retryBusy<T>(activity: SqlActivity, { path, busyTimeoutMs }: BusyPolicy, body: () => T): T {
  const startedAt = monotonicMs();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return body();
    } catch (error) {
      const spentMs = monotonicMs() - startedAt + pauseMs;
      if (!isBusy(error) || spentMs >= busyTimeoutMs) throw toStoreError(error, activity, path);
      serviceMetrics.dbRetries.add();
      if (activity === "write") serviceMetrics.dbTransactionRetries.add();
      sleepSync(pauseMs);
    }
  }
}

/** Blocks the thread: a synchronous store has no other way to wait. */
function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
