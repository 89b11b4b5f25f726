import { checkOptions, refuseOption } from "../../../options/check-options.js";
import * as rules from "../../../options/option-rules.js";
import type { GatewayOperatorUiConfig, GatewayUiConfig, GatewayUiEntry } from "../gateway-options.js";

const path = rules.checked<string>(
  "a path that begins with / and has no query",
  (value) => typeof value === "string" && /^\/[^?#\s]*$/.test(value),
);

const ENTRY_RULES: rules.OptionRules<GatewayUiEntry> = {
  entry: rules.required(rules.name),
  path,
  title: rules.text,
  props: rules.record,
};

const OPERATOR_RULES: rules.OptionRules<GatewayOperatorUiConfig> = {
  path,
  title: rules.text,
  props: rules.record,
};

/** @throws INVALID_INPUT */
export function checkUi(owner: string, ui: GatewayUiConfig): void {
  if (ui === true) return;
  if (typeof ui !== "object" || ui === null) refuseOption("ui", "true, or an object with `entry`", ui);
  checkOptions(owner, ui, ENTRY_RULES);
}

/** @throws INVALID_INPUT */
export function checkOperatorUi(ui: GatewayOperatorUiConfig): void {
  checkOptions("Gateway (operatorUi)", ui, OPERATOR_RULES);
}
