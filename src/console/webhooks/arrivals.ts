import type { GatewayMethods } from "../../client/index.js";

export type Webhook = GatewayMethods["webhookList"]["result"]["webhooks"][number];
export type Deliveries = GatewayMethods["webhookDeliveries"]["result"];
export type Delivery = Deliveries["deliveries"][number];
export type Refusal = Deliveries["refused"][number];

/** Which of what came to a webhook are listed, by their name in the address. */
export const ARRIVALS = { all: "All", accepted: "Accepted", refused: "Refused" } as const;
export type ArrivalFilter = keyof typeof ARRIVALS;

/** One line of what came: a delivery, or requests that were refused before anything of them was kept. */
export type Arrival =
  | { kind: "delivery"; key: string; atMs: number; delivery: Delivery }
  | { kind: "refusal"; key: string; atMs: number; refusal: Refusal };

/** Newest first. */
export function arrivalsOf({ deliveries, refused }: Deliveries, filter: ArrivalFilter): Arrival[] {
  const all: Arrival[] = [
    ...deliveries.map((delivery): Arrival => {
      return { kind: "delivery", key: delivery.deliveryKey, atMs: newestMs(delivery), delivery };
    }),
    ...refused.map((refusal): Arrival => {
      const { code, sinceMs, refusedAtMs } = refusal;
      return { kind: "refusal", key: `${code} ${sinceMs}`, atMs: refusedAtMs, refusal };
    }),
  ];
  const isRefused = (each: Arrival) => each.kind === "refusal" || each.delivery.state === "failed";
  return all
    .filter((each) => filter === "all" || isRefused(each) === (filter === "refused"))
    .sort((a, b) => b.atMs - a.atMs);
}

function newestMs({ receivedAtMs, settledAtMs }: Delivery): number {
  return Math.max(receivedAtMs, settledAtMs ?? 0);
}

/** Why a sender was refused, in the words of people. */
const REASONS: Readonly<Record<string, string>> = {
  WEBHOOK_SIGNATURE_INVALID: "bad signature",
  WEBHOOK_REPLAYED: "came again too late",
  PAYLOAD_TOO_LARGE: "too large",
  INVALID_JSON: "bad payload",
  INVALID_INPUT: "bad payload",
  UNSUPPORTED_ENCODING: "bad payload",
  NODE_NOT_WAITING: "no match",
  RUN_NOT_FOUND: "no match",
  RUN_NOT_ACTIVE: "no match",
};

export function reasonOf(code: string | undefined): string {
  return REASONS[code ?? ""] ?? "failed";
}
