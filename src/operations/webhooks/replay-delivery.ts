import { ServiceError } from "../../errors/service-error.js";
import type { RunAuthContext } from "../../model/run-auth.js";
import type { DeliveryPlan, DeliveryResult, WebhookDelivery } from "../../model/webhook-delivery.js";
import type { Store } from "../../store/index.js";
import { newId } from "../../util/ids.js";
import { planDelivery } from "./plan-delivery.js";
import { newDelivery, type PlanParts, planAndAct, type ReceiveActions, repeat } from "./receive-delivery.js";

export interface ReplayRequest extends Omit<PlanParts, "body"> {
  webhookKey: string;
  /** Key of the delivery, or the sender's id or the digest that it is known by. */
  delivery: string;
  /** The same id is the same replay of one that was done. @default a random one */
  replayId?: string;
  /** Who asks; a run that starts is theirs. */
  auth: RunAuthContext;
  /** @default false */
  dryRun?: boolean;
}

export interface ReplayedDelivery extends DeliveryResult {
  /** Key of what was done now: its own for one that had failed. */
  deliveryKey: string;
  /** This replay was made before, and this is what came of it then. */
  duplicate: boolean;
}

/**
 * Acts once more upon what a sender has delivered. One that has failed is tried again as itself, so that its sender's
 * next try finds it done; one that was done is made again, as a delivery of its own. What was refused before it
 * was kept, such as for its signature, cannot be replayed: nothing of it is there.
 * @throws WEBHOOK_DELIVERY_NOT_FOUND; WEBHOOK_BODY_NOT_KEPT; IDEMPOTENCY_KEY_REUSED; as receiveDelivery
 */
export async function replayDelivery(
  store: Store,
  request: ReplayRequest,
  actions: ReceiveActions,
): Promise<ReplayedDelivery> {
  const { webhookKey, mapping, isOwn, auth, dryRun = false } = request;
  const known = await findDelivery(store, request);
  const fresh = freshOf(known, { replayId: request.replayId ?? newId(), auth, nowMs: actions.clock.now() });
  const { deliveryKey } = fresh;
  const made = known.state === "failed" ? undefined : await store.deliveries.get(webhookKey, deliveryKey);
  if (made !== undefined && made.state !== "failed") return again(made);
  const { bodyText } = known;
  if (bodyText === null) throw bodyGone(known);
  const parts = { mapping, isOwn, body: JSON.parse(bodyText) as unknown };
  if (dryRun) {
    const plan = await planDelivery(store, { ...parts, webhookKey, deliveryKey });
    return { deliveryKey, duplicate: false, ...resultOf(plan) };
  }
  const acted = await planAndAct(store, { ...parts, fresh }, actions);
  if ("earlier" in acted) return again(acted.earlier);
  return { deliveryKey, duplicate: acted.duplicate, ...acted.result };

  /** It is this very replay, unless its id was that of another. */
  async function again(earlier: WebhookDelivery): Promise<ReplayedDelivery> {
    if (earlier.replayOf !== fresh.replayOf || earlier.bodyDigest !== fresh.bodyDigest) {
      throw new ServiceError(
        "IDEMPOTENCY_KEY_REUSED",
        "Another delivery was replayed under this id before.",
        {
          details: { replayId: request.replayId },
        },
      );
    }
    const { result } = dryRun
      ? { result: earlier.result ?? resultOf(earlier.plan) }
      : await repeat(store, earlier, actions);
    return { deliveryKey: earlier.deliveryKey, duplicate: true, ...result };
  }
}

/** What a plan comes to, if all goes well. */
function resultOf(plan: DeliveryPlan | null): DeliveryResult {
  const { signal = null, run = null } = plan ?? {};
  const delivered = (signal?.runIds ?? []).map((runId) => ({
    runId,
    signal: signal?.name ?? "",
    correlationId: signal?.correlationId ?? null,
  }));
  return { delivered, started: run === null ? null : { runId: run.runId } };
}

interface Replay {
  replayId: string;
  auth: RunAuthContext;
  nowMs: number;
}

/** One that has failed keeps its key, and whose replay it was. */
function freshOf(known: WebhookDelivery, { replayId, auth, nowMs }: Replay): WebhookDelivery {
  const isTriedAgain = known.state === "failed" || known.state === "received";
  return {
    ...newDelivery({ ...known, deliveryKey: isTriedAgain ? known.deliveryKey : `replay:${replayId}` }),
    receivedAtMs: nowMs,
    replayOf: isTriedAgain ? known.replayOf : known.deliveryKey,
    replayedBy: auth,
  };
}

async function findDelivery(store: Store, { webhookKey, delivery }: ReplayRequest): Promise<WebhookDelivery> {
  for (const key of [delivery, `id:${delivery}`, `body:${delivery}`]) {
    const found = await store.deliveries.get(webhookKey, key);
    if (found !== undefined) return found;
  }
  throw new ServiceError(
    "WEBHOOK_DELIVERY_NOT_FOUND",
    `The webhook ${webhookKey} has no delivery ${JSON.stringify(delivery.slice(0, 80))}.`,
    { details: { webhookKey } },
  );
}

function bodyGone({ webhookKey, deliveryKey }: WebhookDelivery): ServiceError {
  return new ServiceError(
    "WEBHOOK_BODY_NOT_KEPT",
    "The body of this delivery is not kept: it was too large, or it came too long ago.",
    { details: { webhookKey, deliveryKey } },
  );
}
