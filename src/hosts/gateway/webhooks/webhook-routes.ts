import type { Hono } from "hono";
import { z } from "zod";
import { ServiceError } from "../../../errors/service-error.js";
import { httpStatusOf } from "../../../errors/codes.js";
import { ensureError } from "../../../errors/ensure-error.js";
import { serviceMetrics } from "../../../metrics/catalog.js";
import {
  clientError,
  type DeliveryRequest,
  type ReceivedDelivery,
  receiveDelivery,
  RefusedRequests,
} from "../../../operations/index.js";
import { sha256Hex } from "../../../util/hash.js";
import { checkJson, parseJson, readBody } from "../../http/read-json.js";
import { refuseOrigin } from "../auth/authenticator.js";
import { type CheckedWebhook, idHeadersOf } from "./check-webhook.js";
import type { GatewayParts } from "../gateway-parts.js";
import { checkSignature, type WebhookReceiver } from "./signature.js";
import { webhookActions } from "./webhook-actions.js";
import { findReceiver, readingOf } from "./webhook-reading.js";
import { jsonResponse } from "../../http/json-response.js";

const LONGEST_ID = 256;
/** Larger bodies are acted upon, and cannot be replayed. */
const MOST_KEPT_BYTES = 65_536;

/**
 * `POST /webhooks/<key>` of the workflows that are registered with a webhook. The signature is what lets a
 * request in: no token is asked for, and without `auth` it may come from anywhere.
 */
export function addWebhookRoutes(app: Hono, parts: GatewayParts): void {
  const { authenticator, options, workspace } = parts;
  const refused = new RefusedRequests((error) => parts.onFailure(ensureError(error)));
  parts.signal.addEventListener("abort", () => refused.close(), { once: true });
  const noteRefusal = (receiver: WebhookReceiver | undefined, thrown: unknown, isSigned: boolean) => {
    const error = clientError(ensureError(thrown));
    // Keys that are not registered could be of any number.
    if (receiver === undefined || httpStatusOf(error.code) >= 500) return;
    const { registered } = receiver;
    const { store } = registered.db;
    refused.note({ store, clock: workspace.clockOf(store), webhookKey: registered.key }, error, isSigned);
  };
  app.post("/webhooks/:key", async (c) => {
    if (authenticator.requiresToken) refuseOrigin(authenticator, c.req.raw.headers);
    const key = c.req.param("key");
    const receiver = findReceiver(parts, key);
    const receive = async () => {
      let isSigned = false;
      const onRefused = (thrown: unknown) => noteRefusal(receiver, thrown, isSigned);
      let request: DeliveryRequest;
      try {
        const bytes = await readBody(c, options.maxBodyBytes);
        checkSignature(receiver, c.req.raw.headers, bytes);
        isSigned = true;
        const { webhook } = receiver;
        const body = checkJson(parseJson(bytes), z.unknown());
        request = {
          webhookKey: key,
          body,
          bodyDigest: sha256Hex(bytes),
          bodyText: bytes.length > MOST_KEPT_BYTES ? null : bytes.toString("utf8"),
          deliveryId: deliveryIdOf(webhook, c.req.raw.headers),
          ...readingOf(parts, receiver),
        };
      } catch (thrown) {
        onRefused(thrown);
        throw thrown;
      }
      const { registered } = receiver;
      return receiveDelivery(registered.db.store, request, {
        ...webhookActions(parts, registered),
        onRefused,
      });
    };
    const { result, ...received } = await (receiver === undefined ? receive() : counted(key, receive));
    return jsonResponse({ ok: true, workflow: key, ...received, ...result });
  });
}

async function counted(webhook: string, receive: () => Promise<ReceivedDelivery>): Promise<ReceivedDelivery> {
  let outcome = "failed";
  try {
    const received = await receive();
    outcome = received.duplicate ? "duplicate" : "accepted";
    return received;
  } catch (thrown) {
    if (httpStatusOf(clientError(ensureError(thrown)).code) < 500) outcome = "refused";
    throw thrown;
  } finally {
    serviceMetrics.webhookDeliveriesTotal.add(1, { webhook, outcome });
  }
}

/** @throws INVALID_INPUT */
function deliveryIdOf(webhook: CheckedWebhook, headers: Headers): string | null {
  const names = idHeadersOf(webhook);
  const id = names.map((name) => headers.get(name)).find((value) => value !== null && value !== "") ?? null;
  if (id !== null && id.length > LONGEST_ID) {
    throw new ServiceError(
      "INVALID_INPUT",
      `The id of the delivery is longer than ${LONGEST_ID} characters.`,
    );
  }
  return id;
}
