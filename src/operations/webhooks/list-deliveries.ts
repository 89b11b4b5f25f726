import type { WebhookDelivery, WebhookRefusal } from "../../model/webhook-delivery.js";
import type { ServiceDb } from "../../store/index.js";
import { storeOf } from "../request/target.js";

type Hidden = "plan" | "bodyText" | "replayedBy";

/** A delivery as readers see it: without what it carried. */
export interface DeliveryView extends Omit<WebhookDelivery, Hidden> {
  deliveryId: string;
  /** By the sender's id, by the digest of the body, or as a replay. */
  knownBy: "id" | "body" | "replay";
  /** Who replayed it last; null of one that only its sender has sent. */
  replayedBy: string | null;
  /** Whether its body is still kept, so that it can be replayed. */
  hasBody: boolean;
}

/** What came to a webhook. */
export interface DeliveryList {
  /** Those whose signature was right and whose body could be read, newest first. */
  deliveries: DeliveryView[];
  /** Requests that were refused before anything else of them was kept, by code and minute, newest first. */
  refused: WebhookRefusal[];
}

export async function listDeliveries(
  db: ServiceDb,
  filter: { webhookKey: string; limit: number },
): Promise<DeliveryList> {
  const store = await storeOf(db);
  const rows = await store.deliveries.list(filter);
  return { deliveries: rows.map(viewOf), refused: await store.deliveries.refusals(filter) };
}

function viewOf({ plan: _, bodyText, replayedBy, ...shown }: WebhookDelivery): DeliveryView {
  const at = shown.deliveryKey.indexOf(":");
  return {
    ...shown,
    deliveryId: shown.deliveryKey.slice(at + 1),
    knownBy: shown.deliveryKey.slice(0, at) as DeliveryView["knownBy"],
    replayedBy: replayedBy?.triggeredBy ?? null,
    hasBody: bodyText !== null,
  };
}
