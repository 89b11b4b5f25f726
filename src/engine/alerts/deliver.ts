import { redactShapes } from "../../util/credential-shapes.js";
import { ensureError } from "../../errors/ensure-error.js";
import type { Alert, AlertHandler, FiredAlert } from "../../model/alert.js";
import type { Clock } from "../../util/clock.js";
import { isWebAddress, shownDestination } from "./rules.js";

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

export interface DeliveryContext {
  readonly handlers: Readonly<Record<string, AlertHandler>>;
  readonly clock: Clock;
  /** Knows the whole address, which is stored nowhere; null for a policy without rules. */
  readonly policy: { destinationOf(rule: string): string | undefined } | null;
}

/** Brings an alert to its destination, in at most three tries. Never rejects. */
export async function deliverAlert(
  { alert, destination }: FiredAlert,
  { handlers, clock, policy }: DeliveryContext,
): Promise<DeliveryOutcome> {
  // The stored part of a web address is too little to reach it, and may reach another host.
  const stored = destination !== null && Object.hasOwn(handlers, destination) ? destination : "";
  const target = policy?.destinationOf(alert.rule) ?? stored;
  const shown = target === "" ? (destination ?? "") : shownDestination(target);
  for (let tries = 1; ; tries += 1) {
    const error = await whyNotDelivered(alert, target, { handlers, clock });
    const pauseMs = PAUSES_MS[tries - 1];
    if (error === null || pauseMs === undefined) return { destination: shown, tries, error };
    await new Promise<void>((resolve) => clock.setTimer(clock.now() + pauseMs, resolve));
  }
}

/** Null when it has arrived. */
async function whyNotDelivered(
  alert: Alert,
  destination: string,
  { handlers, clock }: Pick<DeliveryContext, "handlers" | "clock">,
): Promise<string | null> {
  const handler = Object.hasOwn(handlers, destination) ? handlers[destination] : undefined;
  if (handler === undefined && !isWebAddress(destination))
    return "neither the policy nor alertHandlers know this destination any more";
  try {
    if (handler === undefined) return await post(alert, destination);
    return await handled(handler(alert), clock);
  } catch (thrown) {
    const error = ensureError(thrown);
    // The message of fetch itself is only that it failed.
    const text = error.cause instanceof Error ? error.cause.message : error.message;
    return redactShapes(withoutAddress(text, destination));
  }
}

/** A handler that never answers must not keep its run from its end. */
async function handled(answer: ReturnType<AlertHandler>, clock: Clock): Promise<string | null> {
  let disarm = () => {};
  const late = new Promise<string>((resolve) => {
    disarm = clock.setDelay(LONGEST_TRY_MS, () => resolve(`it did not answer within ${LONGEST_TRY_MS} ms`));
  });
  try {
    return await Promise.race([Promise.resolve(answer).then(() => null), late]);
  } finally {
    disarm();
  }
}

/** A system that names the address in its error must not bring its path and query into the log. */
function withoutAddress(text: string, destination: string): string {
  if (!isWebAddress(destination)) return text;
  const { href, pathname, search, searchParams } = new URL(destination);
  const parts = [destination, href, pathname, search, ...pathname.split("/"), ...searchParams.values()];
  return parts
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= SHORTEST_TOKEN)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, part) => clean.replaceAll(part, "[redacted]"), text);
}

/** Shorter parts of an address are words such as `hook`. */
const SHORTEST_TOKEN = 6;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
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
