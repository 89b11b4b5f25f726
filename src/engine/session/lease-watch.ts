import { ensureError } from "../../errors/ensure-error.js";
import type { BlockedBeat } from "../../store/index.js";
import type { RunSession } from "./session.js";
import { unseenIntents } from "../inbox/unseen-intents.js";
import { writeGroupOf } from "./write-group.js";

/** How often the inbox of a run is looked at when another process may have written, milliseconds. */
const POLL_MS = 250;

/**
 * Keeps the lease alive and watches the inbox while a run is driven. Returns the
 * function that ends both.
 */
export function watchLease(session: RunSession): () => void {
  const { services, hold, mailbox } = session;
  const { clock, store } = services;
  const group = writeGroupOf(store);
  let stopped = false;
  let disarm: (() => void) | undefined;
  const pauseMs = Math.min(POLL_MS, services.heartbeatMs);
  let lastBeatMs = clock.now();
  let lastSeenMs = lastBeatMs;
  let lastToken: number | undefined;
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
    const token = await group.changeToken();
    if (token === undefined || token !== lastToken) await readInbox();
    lastToken = token;
  };

  const beatWhileBlocked = () => {
    blocked ??= store.beatWhileBlocked?.(session.lease, services.heartbeatMs);
  };

  const arm = () => {
    // Without heartbeats nobody else is expected to touch the run: a test in one process.
    if (stopped || services.heartbeatMs === Number.POSITIVE_INFINITY) return;
    disarm = clock.setDelay(pauseMs, () => {
      beat()
        .then(arm)
        .catch((error: unknown) => {
          if (!stopped) mailbox.post({ type: "fenced", error: ensureError(error) });
        });
    });
  };

  const unsubscribe = store.onIntent((runId) => {
    if (runId !== session.runId || stopped) return;
    readInbox().catch((error: unknown) => mailbox.post({ type: "fenced", error: ensureError(error) }));
  });
  if (services.beatThread === "at-once") beatWhileBlocked();
  arm();
  return () => {
    stopped = true;
    blocked?.end();
    disarm?.();
    unsubscribe();
  };
}
