import { checkOptions, refuseOption } from "../../../options/check-options.js";
import * as rules from "../../../options/option-rules.js";
import type { GatewayOperatorUiConfig, GatewayUiConfig, GatewayUiEntry } from "../gateway-options.js";
import { isOwnPath } from "./own-paths.js";

/** One that is the same in every spelling, and no pattern of the router. */
const PATH = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~-]+(?:\/|$))*$/;

const path = rules.checked<string>(
  "a path such as /desk, of letters, digits and . _ ~ - between slashes, that is not one of the gateway's own",
  (value) => typeof value === "string" && PATH.test(value) && !isOwnPath(value),
);

const ENTRY_RULES = {
  entry: rules.required(rules.name),
  path,
  title: rules.text,
  props: rules.record,
} satisfies rules.OptionRules<GatewayUiEntry>;

const OPERATOR_RULES = {
  path: rules.withDefault(path, "/console"),
  title: rules.withDefault(rules.text, "treadle console"),
  props: rules.withDefault(rules.record, {}),
} satisfies rules.OptionRules<GatewayOperatorUiConfig>;

export type CheckedOperatorUi = rules.Checked<GatewayOperatorUiConfig, typeof OPERATOR_RULES>;

/** @throws INVALID_INPUT */
export function checkUi(owner: string, ui: GatewayUiConfig): void {
  if (ui === true) return;
  if (typeof ui !== "object" || ui === null) refuseOption("ui", "true, or an object with `entry`", ui);
  checkOptions(owner, ui, ENTRY_RULES);
}

/** @throws INVALID_INPUT */
export function checkOperatorUi(ui: GatewayOperatorUiConfig): CheckedOperatorUi {
  return checkOptions("Gateway (operatorUi)", ui, OPERATOR_RULES);
}
