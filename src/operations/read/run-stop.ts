import type { RunEvent, RunEventType } from "../../model/events.js";
import type { RunCancellation, RunStop } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/** A run begins, or ends, or is stopped with one of them. */
const TURNS_OF_A_DRIVE: RunEventType[] = [
  "RunStarted",
  "RunInterrupted",
  "RunFinished",
  "RunFailed",
  "RunCancelled",
];

/** Who cancelled a run whose status is `cancelled`; null where its log does not end so. */
export async function runCancellationOf(store: Store, runId: string): Promise<RunCancellation | null> {
  const event = await lastTurn(store, runId);
  if (event?.type !== "RunCancelled") return null;
  const { reason = null, requestedBy = null, timestampMs: atMs } = event;
  return { reason, requestedBy, atMs };
}

/** Who stopped a run whose state is `stopped`; null where its owner left no word, as a reset of its tasks does. */
export async function runStopOf(store: Store, runId: string): Promise<RunStop | null> {
  const event = await lastTurn(store, runId);
  return event?.type === "RunInterrupted" ? { reason: event.reason, atMs: event.timestampMs } : null;
}

async function lastTurn(store: Store, runId: string): Promise<RunEvent | undefined> {
  const [last] = await store.listEvents(runId, { types: TURNS_OF_A_DRIVE, descending: true, limit: 1 });
  return last?.event;
}
