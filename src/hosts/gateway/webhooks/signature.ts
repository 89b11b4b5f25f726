import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../../../errors/service-error.js";
import type { Registered } from "../registered-workflow.js";
import { type CheckedWebhook, SIGNATURE_HEADER, SIGNATURE_PREFIX } from "./check-webhook.js";

const DIGEST = /^[0-9a-f]{64}$/i;

/** A secret of no webhook: a key without a webhook takes as long to refuse as a wrong signature. */
const NO_SECRET = randomBytes(32);

/** A webhook and the workflow that it belongs to. */
export interface WebhookReceiver {
  registered: Registered;
  webhook: CheckedWebhook;
}

/**
 * Lets a request pass whose header has the HMAC-SHA-256 of the bytes as they came.
 * @param receiver undefined for a key that has none, which is refused in the same words
 * @throws WEBHOOK_SIGNATURE_INVALID
 */
export function checkSignature(
  receiver: WebhookReceiver | undefined,
  headers: Headers,
  bytes: Uint8Array,
): asserts receiver is WebhookReceiver {
  const webhook = receiver?.webhook;
  const { signatureHeader = SIGNATURE_HEADER, signaturePrefix = SIGNATURE_PREFIX } = webhook ?? {};
  const expected = createHmac("sha256", webhook?.secret ?? NO_SECRET)
    .update(bytes)
    .digest();
  const given = headers.get(signatureHeader) ?? "";
  const digest = given.startsWith(signaturePrefix) ? given.slice(signaturePrefix.length) : "";
  const isWellFormed = DIGEST.test(digest);
  const isSame = timingSafeEqual(expected, isWellFormed ? Buffer.from(digest, "hex") : NO_SECRET);
  if (webhook !== undefined && isWellFormed && isSame) return;
  throw new ServiceError("WEBHOOK_SIGNATURE_INVALID", "No webhook has this key and this signature.");
}
