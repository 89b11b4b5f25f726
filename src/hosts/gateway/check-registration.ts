import type { ServiceWorkflow } from "../../model/workflow.js";
import { checkOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { checkSchedule } from "./cron/check-schedule.js";
import type { GatewayRegisterOptions } from "./gateway-options.js";
import { checkUi } from "./ui/check-ui.js";
import { checkWebhook } from "./webhooks/check-webhook.js";

const RULES: rules.OptionRules<GatewayRegisterOptions> = {
  schedule: rules.name,
  webhook: rules.record,
  ui: rules.anything,
};

/** One segment of a path, the same in every spelling. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** @throws INVALID_INPUT */
export function checkRegistration(
  key: string,
  workflow: ServiceWorkflow,
  options: GatewayRegisterOptions,
): void {
  if (typeof key !== "string" || !KEY.test(key)) {
    refuseOption("key", "1 to 128 letters, digits or . _ -, beginning with a letter or digit", key);
  }
  const isWorkflow =
    typeof workflow === "object" && workflow !== null && typeof workflow.build === "function";
  if (!isWorkflow) refuseOption("workflow", "what `service` returns", workflow);
  const owner = `register(${JSON.stringify(key)})`;
  checkOptions(owner, options, RULES);
  const { schedule, webhook, ui } = options;
  if (schedule !== undefined) checkSchedule(schedule);
  if (webhook !== undefined) checkWebhook(webhook);
  if (ui !== undefined) checkUi(owner, ui);
}
