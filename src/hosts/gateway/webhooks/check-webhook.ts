import { checkOptions, defaultsOf } from "../../../options/check-options.js";
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

const RULES = {
  secret: rules.secret(rules.required(rules.name)),
  signatureHeader: rules.withDefault(headerName, "x-hub-signature-256"),
  signaturePrefix: rules.withDefault(rules.text, "sha256="),
  deliveryIdHeader: rules.checked<string | false>(
    "the name of a header, or false",
    (value) => value === false || isHeaderName(value),
  ),
  signal: rules.record,
  run: rules.record,
} satisfies rules.OptionRules<GatewayWebhookConfig>;

const SIGNAL_RULES = {
  name: rules.required(rules.name),
  correlationIdPath: path,
  runIdPath: path,
  payloadPath: path,
} satisfies rules.OptionRules<GatewayWebhookSignalConfig>;

const RUN_RULES = {
  enabled: rules.withDefault(rules.flag, false),
  inputPath: path,
} satisfies rules.OptionRules<GatewayWebhookRunConfig>;

type Parts = "signal" | "run";

export interface CheckedWebhook extends Omit<rules.Checked<GatewayWebhookConfig, typeof RULES>, Parts> {
  signal?: rules.Checked<GatewayWebhookSignalConfig, typeof SIGNAL_RULES>;
  run?: rules.Checked<GatewayWebhookRunConfig, typeof RUN_RULES>;
}

/** Where the signature is of a webhook that says nothing of it. */
export const { signatureHeader: SIGNATURE_HEADER, signaturePrefix: SIGNATURE_PREFIX } = defaultsOf(RULES);

/** Where senders may say what they call a delivery; the first that is there counts. */
export function idHeadersOf({ deliveryIdHeader }: Pick<CheckedWebhook, "deliveryIdHeader">): string[] {
  if (deliveryIdHeader === false) return [];
  return deliveryIdHeader === undefined ? ["x-delivery-id", "x-github-delivery"] : [deliveryIdHeader];
}

/** @throws INVALID_INPUT */
export function checkWebhook(given: GatewayWebhookConfig): CheckedWebhook {
  const { signal, run, ...checked } = checkOptions({ of: "webhook", at: "webhook" }, given, RULES);
  return {
    ...checked,
    ...(signal !== undefined && {
      signal: checkOptions({ of: "webhook (signal)", at: "webhook.signal" }, signal, SIGNAL_RULES),
    }),
    ...(run !== undefined && {
      run: checkOptions({ of: "webhook (run)", at: "webhook.run" }, run, RUN_RULES),
    }),
  };
}
