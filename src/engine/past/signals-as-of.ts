import type { NewIntent, Store } from "../../store/index.js";

/** A signal as it was sent. */
export type Signal = Omit<NewIntent, "runId">;

/** The signals that had come by an event of the log and that no node had taken up, in order of arrival. */
export async function signalsAsOf(store: Store, runId: string, seq: number): Promise<Signal[]> {
  const events = await store.listEvents(runId, {
    types: ["SignalReceived", "SignalConsumed"],
    beforeSeq: seq + 1,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const waiting = new Set<number>();
  for (const { event } of events) {
    if (event.type === "SignalReceived") waiting.add(event.signalSeq);
    else if (event.type === "SignalConsumed") waiting.delete(event.signalSeq);
  }
  if (waiting.size === 0) return [];
  const intents = await store.listIntents(runId, [...waiting]);
  return intents.flatMap(({ intent, createdAtMs }) =>
    intent.kind === "signal" ? [{ intent, createdAtMs }] : [],
  );
}
