import { ServiceError } from "../../errors/service-error.js";
import type { RunAuthContext } from "../../model/run-auth.js";
import type { DeliveredRun, DeliveryResult, WebhookDelivery } from "../../model/webhook-delivery.js";
import type { Store } from "../../store/index.js";
import type { SignalRequest } from "../send-signal.js";

/** A host's actions for deliveries. Both may be called again for the same delivery, and do nothing then. */
export interface DeliveryActions {
  /** Sends the signal once for its key. */
  signal(request: SignalRequest, dedupeKey: string): Promise<void>;
  /** Starts the run, or finds it started. */
  start(run: DeliveredRun & { auth: RunAuthContext }): Promise<void>;
}

/** Does what the delivery asks for, also when parts of it are done already. */
export async function carryOut(
  store: Store,
  { webhookKey, deliveryKey, receivedAtMs, plan, replayedBy }: WebhookDelivery,
  actions: DeliveryActions,
): Promise<DeliveryResult> {
  const result: DeliveryResult = { delivered: [], started: null };
  if (plan?.signal != null) {
    const { name, correlationId, runIds, data } = plan.signal;
    const ended: unknown[] = [];
    for (const runId of runIds) {
      const request = { runId, signal: name, data, ...(correlationId !== null && { correlationId }) };
      const dedupeKey = `webhook:${webhookKey}:${deliveryKey}`;
      try {
        // The run may have taken it and ended before this process, or the one before it, wrote that down.
        if (!(await store.deliveries.wasSent(runId, dedupeKey))) await actions.signal(request, dedupeKey);
        result.delivered.push({ runId, signal: name, correlationId });
      } catch (error) {
        // It has ended since it was found; the others still wait.
        if (!ServiceError.is(error, "RUN_NOT_ACTIVE")) throw error;
        ended.push(error);
      }
    }
    if (result.delivered.length === 0) throw ended[0];
  }
  if (plan?.run != null) {
    await actions.start({ ...plan.run, auth: replayedBy ?? webhookAuth(webhookKey, receivedAtMs) });
    result.started = { runId: plan.run.runId };
  }
  return result;
}

function webhookAuth(webhookKey: string, receivedAtMs: number): RunAuthContext {
  return {
    triggeredBy: `webhook:${webhookKey}`,
    role: "system",
    scopes: ["*"],
    createdAt: new Date(receivedAtMs).toISOString(),
  };
}
