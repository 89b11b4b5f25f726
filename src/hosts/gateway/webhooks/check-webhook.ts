import { checkOptions } from "../../../options/check-options.js";
import * as rules from "../../../options/option-rules.js";
import { parseJsonPath } from "../../../util/json-path.js";
import type {
  GatewayWebhookConfig,
  GatewayWebhookRunConfig,
  GatewayWebhookSignalConfig,
} from "../gateway-options.js";

const isHeaderName = (value: unknown): boolean =>
  typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value);

const headerName = rules.checked<string>("the name of a header", isHeaderName);

const path = rules.checked<string>(
  "a path such as $.order.lines[0]['unit price']",
  (value) => typeof value === "string" && parseJsonPath(value) !== undefined,
);

const RULES: rules.OptionRules<GatewayWebhookConfig> = {
  secret: rules.required(rules.name),
  signatureHeader: headerName,
  signaturePrefix: rules.text,
  deliveryIdHeader: rules.checked<string | false>(
    "the name of a header, or false",
    (value) => value === false || isHeaderName(value),
  ),
  signal: rules.record,
  run: rules.record,
};

const SIGNAL_RULES: rules.OptionRules<GatewayWebhookSignalConfig> = {
  name: rules.required(rules.name),
  correlationIdPath: path,
  runIdPath: path,
  payloadPath: path,
};

const RUN_RULES: rules.OptionRules<GatewayWebhookRunConfig> = { enabled: rules.flag, inputPath: path };

/** @throws INVALID_INPUT */
export function checkWebhook(webhook: GatewayWebhookConfig): void {
  checkOptions({ of: "webhook", at: "webhook" }, webhook, RULES);
  if (webhook.signal !== undefined)
    checkOptions({ of: "webhook (signal)", at: "webhook.signal" }, webhook.signal, SIGNAL_RULES);
  if (webhook.run !== undefined)
    checkOptions({ of: "webhook (run)", at: "webhook.run" }, webhook.run, RUN_RULES);
}
