import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import type { SchedulerIntent } from "../scheduler/intents.js";
import type { Intent } from "../store/contract.js";
import type { ApprovalDecision } from "../model/approval.js";
import type { RunSession } from "./session.js";

/** How often the inbox of a run is looked at when another process may have written, milliseconds. */
const POLL_MS = 250;

/**
 * Keeps the lease alive and watches the inbox while a run is driven. Returns the
 * function that ends both.
 */
export function watchLease(session: RunSession): () => void {
  const { services, lease, mailbox } = session;
  const { clock, store } = services;
  const seen = new Set<number>();
  let stopped = false;
  let disarm: (() => void) | undefined;
  let lastBeatMs = clock.now();
  let lastToken: number | undefined;

  const readInbox = async () => {
    for (const intent of await store.pendingIntents(session.runId)) {
      if (stopped || seen.has(intent.id)) continue;
      seen.add(intent.id);
      const understood = toSchedulerIntent(intent);
      if (understood !== null)
        mailbox.post({ type: "scheduler", event: { type: "intent", intent: understood } });
    }
  };

  const beat = async () => {
    const now = clock.now();
    if (now - lastBeatMs >= services.heartbeatMs) {
      lastBeatMs = now;
      if (!(await store.heartbeat(lease, now))) {
        throw new ServiceError(
          "RUN_RESUME_CLAIM_LOST",
          `Run ${session.runId} was taken over by another owner.`,
          {
            details: { runId: session.runId },
          },
        );
      }
    }
    const token = await store.changeToken();
    if (token === undefined || token !== lastToken) await readInbox();
    lastToken = token;
  };

  const arm = () => {
    if (stopped) return;
    disarm = clock.setTimer(clock.now() + Math.min(POLL_MS, services.heartbeatMs), () => {
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
  // Intents that were there before the session are part of its seed.
  for (const id of session.seenIntents) seen.add(id);
  arm();
  return () => {
    stopped = true;
    disarm?.();
    unsubscribe();
  };
}

/** The inbox row as the scheduler understands it; null for kinds that others consume. */
export function toSchedulerIntent(intent: Intent): SchedulerIntent | null {
  const payload = intent.payload as Record<string, unknown>;
  switch (intent.kind) {
    case "cancel":
      return {
        id: intent.id,
        kind: "cancel",
        ...(typeof payload.reason === "string" && { reason: payload.reason }),
        ...(typeof payload.requestedBy === "string" && { requestedBy: payload.requestedBy }),
      };
    case "approval":
      return {
        id: intent.id,
        kind: "approval",
        nodeId: String(payload.nodeId),
        iteration: Number(payload.iteration),
        decision: payload.decision as ApprovalDecision,
        atMs: intent.createdAtMs,
        automatic: payload.automatic === true,
      };
    case "signal":
      return {
        id: intent.id,
        kind: "signal",
        name: String(payload.name),
        correlationId: typeof payload.correlationId === "string" ? payload.correlationId : null,
        data: payload.data,
      };
    case "wake":
      return { id: intent.id, kind: "wake" };
    default:
      return null;
  }
}
