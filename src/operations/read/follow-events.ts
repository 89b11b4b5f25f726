import { setTimeout as sleep } from "node:timers/promises";
import type { StoredEvent } from "../../model/events.js";
import { isTerminal } from "../../model/run.js";
import type { EventQuery, Store } from "../../store/contract.js";

export interface FollowOptions {
  runId: string;
  query: Pick<EventQuery, "types" | "nodeId" | "afterSeq">;
  /** Keep waiting for more until the run ends or the signal fires. */
  follow: boolean;
  /** Events at most. */
  limit: number;
  signal: AbortSignal;
}

/** Read at once; a page more is asked for when it was full. */
const PAGE = 500;

/** How often another process's commits are looked for, milliseconds. */
const POLL_MS = 200;

/** Events of a run in order; with `follow` also those that come until it has ended. */
export async function* followEvents(
  store: Store,
  { runId, query, follow, limit, signal }: FollowOptions,
): AsyncGenerator<StoredEvent> {
  let afterSeq = query.afterSeq ?? -1;
  let remaining = limit;
  while (remaining > 0 && !signal.aborted) {
    // Read before the events: what the run wrote before it ended is then complete.
    const run = await store.getRun(runId);
    const page = await store.listEvents(runId, { ...query, afterSeq, limit: Math.min(PAGE, remaining) });
    for (const stored of page) {
      yield stored;
      afterSeq = stored.seq;
      remaining -= 1;
    }
    if (page.length === PAGE) continue;
    if (!follow || run === undefined || isTerminal(run.status)) return;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}
