import type { PastEnds } from "../../observability/trace/past-ends.js";
import type { Store } from "../../store/index.js";
import { isTracing } from "../../tracing/tracer.js";

/** Undefined while spans are not collected, and of a run that has never ended. */
export async function pastEnds(log: Pick<Store, "listEvents">, runId: string): Promise<PastEnds | undefined> {
  if (!isTracing()) return undefined;
  const ends = await log.listEvents(runId, {
    types: ["RunFinished", "RunFailed", "RunCancelled"],
    limit: Number.MAX_SAFE_INTEGER,
  });
  const last = ends.at(-1);
  if (last === undefined) return undefined;
  const [start] = await log.listEvents(runId, { types: ["RunStarted"], afterSeq: last.seq, limit: 1 });
  return { ends: ends.length, reopenedMs: start?.event.timestampMs ?? null };
}
