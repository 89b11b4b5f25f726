import { type BodyPath, type PlanParts, rootOf, type WebhookMapping } from "../../../operations/index.js";
import { parseJsonPath } from "../../../util/json-path.js";
import type { GatewayParts } from "../gateway-parts.js";
import { markOf } from "../registered-workflow.js";
import type { CheckedWebhook } from "./check-webhook.js";
import type { WebhookReceiver } from "./signature.js";

/** The workflow of the key with its webhook; undefined where there is none. */
export function findReceiver({ workspace }: GatewayParts, key: string): WebhookReceiver | undefined {
  const registered = workspace.workflows().find((each) => each.key === key);
  const webhook = registered?.options.webhook;
  return registered === undefined || webhook === undefined ? undefined : { registered, webhook };
}

/** How a webhook reads a body, and which runs it reaches. */
export function readingOf(
  { workspace }: GatewayParts,
  { registered, webhook }: WebhookReceiver,
): Omit<PlanParts, "body"> {
  const { key, db } = registered;
  return {
    mapping: mappingOf(webhook),
    isOwn: async (run) => workspace.workflowOf(markOf(await rootOf(db.store, run)), db.store)?.key === key,
  };
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
