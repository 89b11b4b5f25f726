import type { Hono } from "hono";
import { z } from "zod";
import { ServiceError } from "../../../errors/service-error.js";
import { httpStatusOf } from "../../../errors/codes.js";
import { ensureError } from "../../../errors/ensure-error.js";
import { serviceMetrics } from "../../../metrics/catalog.js";
import {
  type BodyPath,
  clientError,
  type ReceivedDelivery,
  receiveDelivery,
  rootOf,
  type WebhookMapping,
} from "../../../operations/index.js";
import { sha256Hex } from "../../../util/hash.js";
import { parseJsonPath } from "../../../util/json-path.js";
import { checkJson, parseJson, readBody } from "../../http/read-json.js";
import { refuseOrigin } from "../auth/authenticator.js";
import type { CheckedWebhook } from "./check-webhook.js";
import type { GatewayParts } from "../gateway-parts.js";
import { markOf } from "../registered-workflow.js";
import { checkSignature, type WebhookReceiver } from "./signature.js";
import { webhookActions } from "./webhook-actions.js";

const DEFAULT_ID_HEADERS = ["x-delivery-id", "x-github-delivery"];
const LONGEST_ID = 256;

/**
 * `POST /webhooks/<key>` of the workflows that are registered with a webhook. The signature is what lets a
 * request in: no token is asked for, and without `auth` it may come from anywhere.
 */
export function addWebhookRoutes(app: Hono, parts: GatewayParts): void {
  const { authenticator, options, workspace } = parts;
  app.post("/webhooks/:key", async (c) => {
    if (authenticator.requiresToken) refuseOrigin(authenticator, c.req.raw.headers);
    const key = c.req.param("key");
    const receiver = findReceiver(parts, key);
    const receive = async () => {
      const bytes = await readBody(c, options.maxBodyBytes);
      checkSignature(receiver, c.req.raw.headers, bytes);
      const { registered, webhook } = receiver;
      const mapping = mappingOf(webhook);
      const body = checkJson(parseJson(bytes), z.unknown());
      const { store } = registered.db;
      return receiveDelivery(
        store,
        {
          webhookKey: key,
          mapping,
          body,
          bodyDigest: sha256Hex(bytes),
          deliveryId: deliveryIdOf(webhook, c.req.raw.headers),
          isOwn: async (run) => workspace.workflowOf(markOf(await rootOf(store, run)), store)?.key === key,
        },
        { ...webhookActions(parts, registered), clock: workspace.clockOf(registered.db.store) },
      );
    };
    // Keys that are not registered could be of any number.
    const { result, ...received } = await (receiver === undefined ? receive() : counted(key, receive));
    return c.json({ ok: true, workflow: key, ...received, ...result });
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

function findReceiver({ workspace }: GatewayParts, key: string): WebhookReceiver | undefined {
  const registered = workspace.workflows().find((each) => each.key === key);
  const webhook = registered?.options.webhook;
  return registered === undefined || webhook === undefined ? undefined : { registered, webhook };
}

function mappingOf({ signal, run }: CheckedWebhook): WebhookMapping {
  return {
    signal:
      signal === undefined
        ? null
        : {
            name: signal.name,
            correlationId: pathOf(signal.correlationIdPath),
            runId: pathOf(signal.runIdPath),
            payload: pathOf(signal.payloadPath),
          },
    run: run?.enabled === true ? { input: pathOf(run.inputPath) } : null,
  };
}

/** Checked when it was registered. */
function pathOf(text: string | undefined): BodyPath | null {
  return text === undefined ? null : { text, path: parseJsonPath(text) ?? [] };
}

/** @throws INVALID_INPUT */
function deliveryIdOf({ deliveryIdHeader }: CheckedWebhook, headers: Headers): string | null {
  if (deliveryIdHeader === false) return null;
  const names = deliveryIdHeader === undefined ? DEFAULT_ID_HEADERS : [deliveryIdHeader];
  const id = names.map((name) => headers.get(name)).find((value) => value !== null && value !== "") ?? null;
  if (id !== null && id.length > LONGEST_ID) {
    throw new ServiceError(
      "INVALID_INPUT",
      `The id of the delivery is longer than ${LONGEST_ID} characters.`,
    );
  }
  return id;
}
