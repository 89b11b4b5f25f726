import { z } from "zod";
import { ServiceError } from "../../../../errors/service-error.js";
import { listDeliveries, replayDelivery } from "../../../../operations/index.js";
import { given } from "../../../http/given.js";
import { describeWebhook } from "../../webhooks/describe-webhook.js";
import type { WebhookReceiver } from "../../webhooks/signature.js";
import { webhookActions } from "../../webhooks/webhook-actions.js";
import { findReceiver, readingOf } from "../../webhooks/webhook-reading.js";
import { type MethodContext, method } from "../method.js";
import { limit, workflowKey } from "./params.js";

/** Methods about webhooks and what was delivered to them. */
export const webhookMethods = {
  webhookList: method({
    scope: "run:read",
    params: z.strictObject({ workflow: workflowKey.optional() }),
    async handle({ workflow }, ctx) {
      const keys = workflow === undefined ? ctx.workspace.workflows().map(({ key }) => key) : [workflow];
      const receivers = keys.map((key) => findReceiver(ctx, key)).filter((each) => each !== undefined);
      return { webhooks: receivers.map(describeWebhook) };
    },
  }),

  webhookDeliveries: method({
    scope: "run:read",
    params: z.strictObject({ workflow: workflowKey, limit: limit.optional() }),
    async handle({ workflow: key, ...page }, ctx) {
      const { db } = requireReceiver(ctx, key).registered;
      return listDeliveries(db, { webhookKey: key, limit: page.limit ?? 50 });
    },
  }),

  webhookReplay: method({
    // Which of the two it comes to is known when it is done.
    scope: ["run:write", "signal:submit"],
    params: z.strictObject({
      workflow: workflowKey,
      delivery: z.string().min(1).max(300),
      replayId: z.string().min(1).max(100).optional(),
      dryRun: z.boolean().optional(),
    }),
    async handle({ workflow: key, delivery, ...params }, ctx) {
      const receiver = requireReceiver(ctx, key);
      const { registered } = receiver;
      const actions = webhookActions(ctx, registered);
      const { triggeredBy, role, scopes } = ctx.caller;
      const createdAt = new Date(actions.clock.now()).toISOString();
      const auth = { triggeredBy, role, scopes: [...scopes], createdAt };
      const request = { webhookKey: key, delivery, auth, ...readingOf(ctx, receiver), ...given(params) };
      return replayDelivery(registered.db.store, request, actions);
    },
  }),
};

/** @throws WORKFLOW_NOT_FOUND, WEBHOOK_NOT_FOUND */
function requireReceiver(ctx: MethodContext, key: string): WebhookReceiver {
  ctx.workspace.workflow(key);
  const receiver = findReceiver(ctx, key);
  if (receiver !== undefined) return receiver;
  throw new ServiceError("WEBHOOK_NOT_FOUND", `The workflow ${key} is registered without a webhook.`, {
    details: { key },
  });
}
