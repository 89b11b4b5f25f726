import type { AsTold, RpcMethod } from "./method.js";
import { agentMethods } from "./methods/agents.js";
import { answerMethods } from "./methods/answers.js";
import { cronMethods } from "./methods/cron.js";
import { interventionMethods } from "./methods/interventions.js";
import { hostMethods } from "./methods/host.js";
import { runMethods } from "./methods/runs.js";
import { scoreMethods } from "./methods/scores.js";
import { viewMethods } from "./methods/views.js";
import { webhookMethods } from "./methods/webhooks.js";

const TABLE = {
  ...runMethods,
  ...viewMethods,
  ...answerMethods,
  ...interventionMethods,
  ...scoreMethods,
  ...agentMethods,
  ...cronMethods,
  ...webhookMethods,
  ...hostMethods,
};

/** Every method of a gateway, by name; docs/gateway.md lists them. */
export const METHODS: Readonly<Record<string, RpcMethod>> = TABLE satisfies AsTold<typeof TABLE>;
