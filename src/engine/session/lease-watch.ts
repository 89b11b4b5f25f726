import { ensureError } from "../../errors/ensure-error.js";
import { type BlockedBeat, onOutsideChange } from "../../store/index.js";
import type { RunSession } from "./session.js";
import { unseenIntents } from "../inbox/unseen-intents.js";

/** How often the clock is looked at, and at the latest after which time what other processes wrote is found, milliseconds. */
const POLL_MS = 250;

/**
 * Keeps the lease alive and watches the inbox while a run is driven. Returns the
 * function that ends both.
 */
export function watchLease(session: RunSession): () => void {
  const { services, hold, mailbox } = session;
  const { clock, store } = services;
  // Without heartbeats no other process is expected to touch the run: a test in one process.
  const isAlone = services.heartbeatMs === Number.POSITIVE_INFINITY;
  let stopped = false;
  let disarm: (() => void) | undefined;
  const pauseMs = Math.min(POLL_MS, services.heartbeatMs);
  let lastBeatMs = clock.now();
  let lastSeenMs = lastBeatMs;
  const posted = new Set<number>();
  let blocked: BlockedBeat | undefined;

  const readInbox = async () => {
    if (stopped) return;
    for (const intent of await unseenIntents(session)) {
      if (posted.has(intent.id)) continue;
      posted.add(intent.id);
      mailbox.post({ type: "scheduler", event: { type: "intent", intent } });
    }
  };

  const beat = async () => {
    const now = clock.now();
    if (now < lastSeenMs) {
      lastBeatMs = Number.NEGATIVE_INFINITY;
      const byMs = lastSeenMs + pauseMs - now;
      mailbox.post({ type: "scheduler", event: { type: "clock-set-back", byMs } });
    }
    lastSeenMs = now;
    if (now - lastBeatMs >= services.heartbeatMs) {
      lastBeatMs = now;
      await hold.beat();
      if (!stopped && services.beatThread !== undefined) beatWhileBlocked();
    }
    blocked?.alive();
  };

  const beatWhileBlocked = () => {
    blocked ??= store.beatWhileBlocked?.(session.lease, services.heartbeatMs);
  };

  const arm = () => {
    if (stopped || isAlone) return;
    disarm = clock.setDelay(pauseMs, () => void beat().then(arm).catch(fence));
  };

  const fence = (error: unknown) => {
    if (!stopped) mailbox.post({ type: "fenced", error: ensureError(error) });
  };
  const look = () => void readInbox().catch(fence);
  const unsubscribes = [
    store.onIntent((runId) => {
      if (runId === session.runId) look();
    }),
  ];
  if (!isAlone) unsubscribes.push(onOutsideChange(store, { clock, everyMs: pauseMs }, look));
  if (services.beatThread === "at-once") beatWhileBlocked();
  arm();
  return () => {
    stopped = true;
    blocked?.end();
    disarm?.();
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
