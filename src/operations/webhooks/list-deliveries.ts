import type { WebhookDelivery } from "../../model/webhook-delivery.js";
import type { ServiceDb } from "../../store/index.js";
import { storeOf } from "../request/target.js";

/** A delivery as readers see it: without what it carried. */
export interface DeliveryView extends Omit<WebhookDelivery, "plan" | "deliveryKey"> {
  deliveryId: string;
  /** By the sender's id, or by the digest of the body. */
  knownBy: "id" | "body";
}

/** Deliveries whose signature was right, newest first. */
export async function listDeliveries(
  db: ServiceDb,
  filter: { webhookKey: string; limit: number },
): Promise<DeliveryView[]> {
  const store = await storeOf(db);
  return (await store.deliveries.list(filter)).map(({ plan: _, deliveryKey, ...shown }) => ({
    ...shown,
    deliveryId: deliveryKey.slice(deliveryKey.indexOf(":") + 1),
    knownBy: deliveryKey.startsWith("id:") ? "id" : "body",
  }));
}
