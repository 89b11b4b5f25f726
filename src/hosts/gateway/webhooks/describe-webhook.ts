import type { WebhookDescription } from "../../../client/gateway-descriptions.js";
import { idHeadersOf } from "./check-webhook.js";
import type { WebhookReceiver } from "./signature.js";

/** A webhook as clients see it. */
export function describeWebhook({ registered, webhook }: WebhookReceiver): WebhookDescription {
  const { signatureHeader, signaturePrefix, signal, run } = webhook;
  return {
    workflowKey: registered.key,
    path: `/webhooks/${registered.key}`,
    signatureHeader,
    signaturePrefix,
    deliveryIdHeaders: idHeadersOf(webhook),
    signal: signal?.name ?? null,
    startsRuns: run?.enabled === true,
  };
}
