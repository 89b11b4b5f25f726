import { serializeError } from "../../errors/ensure-error.js";
import { isRetryableCode } from "../../errors/codes.js";
import { ServiceError } from "../../errors/service-error.js";
import type { DeliveryPlan, DeliveryResult, WebhookDelivery } from "../../model/webhook-delivery.js";
import type { Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";
import { carryOut, type DeliveryActions } from "./carry-out.js";
import { planDelivery, type PlanRequest } from "./plan-delivery.js";

export interface DeliveryRequest extends Omit<PlanRequest, "deliveryKey"> {
  /** The sender's id for it; null: it is known by its body. */
  deliveryId: string | null;
  /** SHA-256 of the body as it came, hex. */
  bodyDigest: string;
  /** The body as it came; null: it is not kept. */
  bodyText: string | null;
}

/** A request to a webhook without the parts by which it is known. */
export type PlanParts = Pick<PlanRequest, "mapping" | "body" | "isOwn">;

export interface ReceiveActions extends DeliveryActions {
  clock: Clock;
}

export interface ReceivedDelivery {
  deliveryId: string;
  result: DeliveryResult;
  /** It came before, and this is what came of it then. */
  duplicate: boolean;
}

/** A delivery that comes again within this time is answered as the first one; later it is refused. Milliseconds. */
const REPEATED_MS = 86_400_000;

/**
 * Acts upon a delivery whose signature is right, once, however often and to any process it comes: it is
 * written down before anything is done, with all that is to be done. One that has failed may be sent again, also
 * corrected. `onRefused` hears of what is refused without being written down.
 * @throws WEBHOOK_REPLAYED for one that came more than a day ago; INVALID_INPUT for an id that another body
 * came with; as planDelivery, signalRun and HostedRuns.start
 */
export async function receiveDelivery(
  store: Store,
  request: DeliveryRequest,
  { onRefused, ...actions }: ReceiveActions & { onRefused(error: unknown): void },
): Promise<ReceivedDelivery> {
  const { webhookKey, deliveryId, bodyDigest, bodyText } = request;
  const deliveryKey = deliveryId === null ? `body:${bodyDigest}` : `id:${deliveryId}`;
  const nowMs = actions.clock.now();
  const known = await store.deliveries.get(webhookKey, deliveryKey);
  if (known !== undefined) checkRepeat(known);
  if (known !== undefined && known.state !== "failed") return repeat(store, known, actions);
  const fresh = { ...newDelivery({ webhookKey, deliveryKey, bodyDigest, bodyText }), receivedAtMs: nowMs };
  const made = await planAndAct(store, { fresh, ...request }, actions);
  if (!("earlier" in made)) return made;
  checkRepeat(made.earlier);
  return repeat(store, made.earlier, actions);

  function checkRepeat(earlier: WebhookDelivery): void {
    try {
      refuseReplay(earlier, { bodyDigest, nowMs });
    } catch (error) {
      onRefused(error);
      throw error;
    }
  }
}

/** One of which nothing is done yet. */
export function newDelivery(
  known: Pick<WebhookDelivery, "webhookKey" | "deliveryKey" | "bodyDigest" | "bodyText">,
): Omit<WebhookDelivery, "receivedAtMs"> {
  return {
    ...known,
    state: "received",
    settledAtMs: null,
    repeats: 0,
    plan: null,
    result: null,
    error: null,
    replayOf: null,
    replayedBy: null,
  };
}

/**
 * Writes down what a delivery asks for, and does it; one that was kept before it is given back instead.
 * @throws what keeps it from being planned or done, which is written down unless it may pass
 */
export async function planAndAct(
  store: Store,
  { fresh, ...parts }: PlanParts & { fresh: WebhookDelivery },
  actions: ReceiveActions,
): Promise<ReceivedDelivery | { earlier: WebhookDelivery }> {
  const { webhookKey, deliveryKey } = fresh;
  let plan: DeliveryPlan;
  try {
    plan = await planDelivery(store, { ...parts, webhookKey, deliveryKey });
  } catch (error) {
    if (mayPass(error)) throw error;
    const settled = { state: "failed" as const, settledAtMs: actions.clock.now() };
    const kept = await store.deliveries.receive({ ...fresh, ...settled, error: serializeError(error) });
    if (!kept.isNew) return { earlier: kept.delivery };
    throw error;
  }
  const kept = await store.deliveries.receive({ ...fresh, plan });
  return kept.isNew ? act(store, { ...fresh, plan }, actions) : { earlier: kept.delivery };
}

/** It came before. Its unfinished actions are finished now. */
export async function repeat(
  store: Store,
  known: WebhookDelivery,
  actions: ReceiveActions,
): Promise<ReceivedDelivery> {
  await store.deliveries.countRepeat(known.webhookKey, known.deliveryKey);
  const acted = known.result === null ? await act(store, known, actions) : shownResult(known, known.result);
  return { ...acted, duplicate: true };
}

/** @throws what kept it from being done */
async function act(
  store: Store,
  delivery: WebhookDelivery,
  actions: ReceiveActions,
): Promise<ReceivedDelivery> {
  return shownResult(delivery, await finishDelivery(store, delivery, actions));
}

function shownResult({ deliveryKey }: WebhookDelivery, result: DeliveryResult): ReceivedDelivery {
  return { deliveryId: deliveryKey.slice(deliveryKey.indexOf(":") + 1), result, duplicate: false };
}

/** Does what a delivery asks for and writes down what came of it. */
async function finishDelivery(
  store: Store,
  delivery: WebhookDelivery,
  actions: ReceiveActions,
): Promise<DeliveryResult> {
  const completed = { ...delivery, plan: null, settledAtMs: actions.clock.now() };
  try {
    const result = await carryOut(store, delivery, actions);
    await store.deliveries.complete({ ...completed, state: "done", result });
    return result;
  } catch (error) {
    const now = await store.deliveries.get(delivery.webhookKey, delivery.deliveryKey);
    // Another process worked on it as well, and has finished it.
    if (now?.result != null && now.bodyDigest === delivery.bodyDigest) return now.result;
    if (!mayPass(error)) {
      await store.deliveries.complete({ ...completed, state: "failed", error: serializeError(error) });
    }
    throw error;
  }
}

/** Finishes what the processes before this one had only written down. */
export async function finishDeliveries(
  store: Store,
  webhookKey: string,
  actions: ReceiveActions & { onError(error: unknown): void },
): Promise<void> {
  for (const deliveryKey of await store.deliveries.incomplete(webhookKey)) {
    try {
      const delivery = await store.deliveries.get(webhookKey, deliveryKey);
      if (delivery?.state === "received") await finishDelivery(store, delivery, actions);
    } catch (error) {
      actions.onError(error);
    }
  }
}

/** Neither the sender nor the workflow has to do with it: the same delivery may succeed the next time. */
function mayPass(error: unknown): boolean {
  return error instanceof ServiceError && isRetryableCode(error.code);
}

/** @throws WEBHOOK_REPLAYED, INVALID_INPUT */
function refuseReplay(
  known: WebhookDelivery,
  { bodyDigest, nowMs }: { bodyDigest: string; nowMs: number },
): void {
  const { deliveryKey, receivedAtMs, state } = known;
  if (known.bodyDigest !== bodyDigest) {
    // A run that has its signal already gets no second one under this id, whatever the body.
    if (state === "failed") return;
    throw new ServiceError("INVALID_INPUT", "Another body was delivered under this id before.", {
      details: { deliveryId: deliveryKey.slice(3, 83) },
    });
  }
  if (nowMs - receivedAtMs <= REPEATED_MS || state === "received") return;
  throw new ServiceError(
    "WEBHOOK_REPLAYED",
    `This delivery was made on ${new Date(receivedAtMs).toISOString()}; nothing was done again.`,
    { details: { receivedAtMs } },
  );
}
