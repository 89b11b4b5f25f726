import { z } from "zod";
import { ServiceError } from "../../../../errors/service-error.js";
import { listDeliveries } from "../../../../operations/index.js";
import { method } from "../method.js";
import { limit, workflowKey } from "./params.js";

/** Methods about deliveries to webhooks. */
export const webhookMethods = {
  webhookDeliveries: method({
    scope: "run:read",
    params: z.strictObject({ workflow: workflowKey, limit: limit.optional() }),
    async handle({ workflow: key, ...page }, { workspace }) {
      const { db, options } = workspace.workflow(key);
      if (options.webhook === undefined) {
        throw new ServiceError("WEBHOOK_NOT_FOUND", `The workflow ${key} is registered without a webhook.`, {
          details: { key },
        });
      }
      return { deliveries: await listDeliveries(db, { webhookKey: key, limit: page.limit ?? 50 }) };
    },
  }),
};
