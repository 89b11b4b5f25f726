import { checkOptions } from "../../../options/check-options.js";
import * as rules from "../../../options/option-rules.js";
import type {
  GatewayWebhookConfig,
  GatewayWebhookRunConfig,
  GatewayWebhookSignalConfig,
} from "../gateway-options.js";

const RULES: rules.OptionRules<GatewayWebhookConfig> = {
  secret: rules.required(rules.name),
  signatureHeader: rules.name,
  signaturePrefix: rules.text,
  signal: rules.record,
  run: rules.record,
};

const SIGNAL_RULES: rules.OptionRules<GatewayWebhookSignalConfig> = {
  name: rules.required(rules.name),
  correlationIdPath: rules.text,
  runIdPath: rules.text,
  payloadPath: rules.text,
};

const RUN_RULES: rules.OptionRules<GatewayWebhookRunConfig> = { enabled: rules.flag, inputPath: rules.text };

/** @throws INVALID_INPUT */
export function checkWebhook(webhook: GatewayWebhookConfig): void {
  checkOptions("webhook", webhook, RULES);
  if (webhook.signal !== undefined) checkOptions("webhook (signal)", webhook.signal, SIGNAL_RULES);
  if (webhook.run !== undefined) checkOptions("webhook (run)", webhook.run, RUN_RULES);
}
