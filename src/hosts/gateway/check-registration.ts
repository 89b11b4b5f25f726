import type { ServiceWorkflow } from "../../model/workflow.js";
import { checkOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { checkSchedule } from "./cron/check-schedule.js";
import type { GatewayRegisterOptions } from "./gateway-options.js";
import { checkUi } from "./ui/check-ui.js";
import { type CheckedWebhook, checkWebhook } from "./webhooks/check-webhook.js";

const RULES = {
  schedule: rules.name,
  webhook: rules.record,
  ui: rules.anything,
} satisfies rules.OptionRules<GatewayRegisterOptions>;

/** One segment of a path, the same in every spelling. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

export interface CheckedRegistration
  extends Omit<rules.Checked<GatewayRegisterOptions, typeof RULES>, "webhook"> {
  webhook?: CheckedWebhook;
}

export function isKey(key: unknown): boolean {
  return typeof key === "string" && KEY.test(key);
}

/** @throws INVALID_INPUT */
export function checkRegistration(
  key: string,
  workflow: ServiceWorkflow,
  options: GatewayRegisterOptions,
): CheckedRegistration {
  if (!isKey(key)) {
    refuseOption("key", "1 to 128 letters, digits or . _ -, beginning with a letter or digit", key);
  }
  const isWorkflow =
    typeof workflow === "object" && workflow !== null && typeof workflow.build === "function";
  if (!isWorkflow) refuseOption("workflow", "what `service` returns", workflow);
  const owner = `register(${JSON.stringify(key)})`;
  const { webhook, ...checked } = checkOptions(owner, options, RULES);
  const { schedule, ui } = checked;
  if (schedule !== undefined) checkSchedule(schedule);
  if (ui !== undefined) checkUi(owner, ui);
  return { ...checked, ...(webhook !== undefined && { webhook: checkWebhook(webhook) }) };
}
