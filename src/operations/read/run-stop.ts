import type { RunEventType } from "../../model/events.js";
import type { RunStop } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/** A run begins, or ends, or is stopped with one of them. */
const TURNS_OF_A_DRIVE: RunEventType[] = [
  "RunStarted",
  "RunInterrupted",
  "RunFinished",
  "RunFailed",
  "RunCancelled",
];

/** Who stopped a run whose state is `stopped`; null where its owner left no word, as a reset of its tasks does. */
export async function runStopOf(store: Store, runId: string): Promise<RunStop | null> {
  const [last] = await store.listEvents(runId, { types: TURNS_OF_A_DRIVE, descending: true, limit: 1 });
  if (last?.event.type !== "RunInterrupted") return null;
  return { reason: last.event.reason, atMs: last.event.timestampMs };
}
