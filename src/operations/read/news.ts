import { onOutsideChange, type Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";

export interface NewsRequest {
  runId: string;
  /** How often commits of other processes are looked for, milliseconds; 0: they are not, only whether the database is still there. */
  pollMs: number;
  clock: Clock;
}

/** How often a database is looked at that no other process writes to, milliseconds. */
const LOSS_LOOK_MS = 1_000;

/**
 * Calls back whenever there may be something new about a run: at once for commits of this process;
 * for those of others once the database is found changed. Returns how to stop.
 */
export function hearNews(store: Store, request: NewsRequest, listener: () => void): () => void {
  const { runId, pollMs, clock } = request;
  const forget = store.onChange((changed) => {
    if (changed === runId) listener();
  });
  const pace = pollMs === 0 ? { everyMs: LOSS_LOOK_MS, only: "loss" as const } : { everyMs: pollMs };
  const leave = onOutsideChange(store, { clock, ...pace }, listener);
  return () => {
    forget();
    leave();
  };
}
