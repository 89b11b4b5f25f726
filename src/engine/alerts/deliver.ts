import { ensureError } from "../../errors/ensure-error.js";
import type { Alert, AlertHandler, FiredAlert } from "../../model/alert.js";
import type { Clock } from "../../util/clock.js";
import { isWebAddress } from "./rules.js";

/** How a delivery ended. */
export interface DeliveryOutcome {
  /** Handler name, or scheme and host: the rest of a URL may be a secret. */
  destination: string;
  tries: number;
  /** Why it was given up; null when it arrived. */
  error: string | null;
}

/** Waits before the second and the third try, milliseconds. */
const PAUSES_MS = [1_000, 5_000] as const;

/** One try of a delivery may take this long, milliseconds. */
const LONGEST_TRY_MS = 10_000;

/** Brings an alert to its destination, in at most three tries. Never rejects. */
export async function deliverAlert(
  { alert, destination }: FiredAlert,
  { handlers, clock }: { handlers: Readonly<Record<string, AlertHandler>>; clock: Clock },
): Promise<DeliveryOutcome> {
  const target = destination ?? "";
  const shown = Object.hasOwn(handlers, target) ? target : originOf(target);
  for (let tries = 1; ; tries += 1) {
    const error = await whyNotDelivered(alert, target, handlers);
    const pauseMs = PAUSES_MS[tries - 1];
    if (error === null || pauseMs === undefined) return { destination: shown, tries, error };
    await new Promise<void>((resolve) => clock.setTimer(clock.now() + pauseMs, resolve));
  }
}

/** Null when it has arrived. */
async function whyNotDelivered(
  alert: Alert,
  destination: string,
  handlers: Readonly<Record<string, AlertHandler>>,
): Promise<string | null> {
  const handler = Object.hasOwn(handlers, destination) ? handlers[destination] : undefined;
  if (handler === undefined && !isWebAddress(destination)) return "there is no handler of this name any more";
  try {
    if (handler === undefined) return await post(alert, destination);
    await handler(alert);
    return null;
  } catch (thrown) {
    const error = ensureError(thrown);
    // What fetch itself says is only that it failed.
    return error.cause instanceof Error ? error.cause.message : error.message;
  }
}

async function post(alert: Alert, url: string): Promise<string | null> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": alert.idempotencyKey },
    body: JSON.stringify(alert),
    redirect: "error",
    signal: AbortSignal.timeout(LONGEST_TRY_MS),
  });
  await response.body?.cancel();
  return response.ok ? null : `it answered with status ${response.status}`;
}

function originOf(destination: string): string {
  return isWebAddress(destination) ? new URL(destination).origin : destination;
}
