import { statSync } from "node:fs";
import { resolve } from "node:path";
import { defaultsOf, givenOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { originList } from "../http/origins.js";
import { type CheckedAuth, checkAuth } from "./auth/check-auth.js";
import type { GatewayDefaults, GatewayOptions } from "./gateway-options.js";
import { type CheckedOperatorUi, checkOperatorUi, checkUi } from "./ui/check-ui.js";

const RULES = {
  protocol: rules.withDefault(rules.positiveInteger, 1),
  features: rules.withDefault(rules.texts, ["streaming", "runs"]),
  heartbeatMs: rules.withDefault(rules.positiveInteger, 15_000),
  auth: rules.record,
  allowedOrigins: rules.withDefault(originList, []),
  // Checked with their members below.
  ui: rules.anything,
  operatorUi: rules.anything,
  workspaceRoot: rules.checked("a folder that exists", isFolder),
  defaults: rules.record,
  maxBodyBytes: rules.withDefault(rules.positiveInteger, 1_048_576),
  maxPayload: rules.withDefault(rules.positiveInteger, 1_048_576),
  maxConnections: rules.withDefault(rules.positiveInteger, 1_000),
  maxActiveRuns: rules.positiveInteger,
  maxActiveTasks: rules.positiveInteger,
  eventWindowSize: rules.withDefault(rules.positiveInteger, 10_000),
  outOfProcessEventBridge: rules.withDefault(rules.flag, true),
  outOfProcessEventBridgePollMs: rules.withDefault(rules.positiveInteger, 1_000),
  headersTimeout: rules.withDefault(rules.milliseconds, 30_000),
  requestTimeout: rules.withDefault(rules.milliseconds, 60_000),
} satisfies rules.OptionRules<GatewayOptions>;

const DEFAULTS_RULES = {
  cliAgentTools: rules.oneOf(["all", "explicit-only"]),
  outOfProcessEventBridge: rules.flag,
  outOfProcessEventBridgePollMs: rules.positiveInteger,
} satisfies rules.OptionRules<GatewayDefaults>;

/** Every option with its default. */
export interface CheckedGatewayOptions
  extends Omit<rules.Checked<GatewayOptions, typeof RULES>, "auth" | "defaults" | "operatorUi"> {
  workspaceRoot: string;
  auth?: CheckedAuth;
  /** False: there is none. */
  operatorUi: CheckedOperatorUi | false;
  cliAgentTools?: NonNullable<GatewayDefaults["cliAgentTools"]>;
}

/** @throws INVALID_INPUT for an option that is unknown or not as described */
export function checkGatewayOptions(options: GatewayOptions): CheckedGatewayOptions {
  const { auth, operatorUi = {}, defaults = {}, ...given } = givenOptions("Gateway", options, RULES);
  const checked = {
    ...defaultsOf(RULES),
    ...givenOptions("Gateway (defaults)", defaults, DEFAULTS_RULES),
    ...given,
    workspaceRoot: resolve(given.workspaceRoot ?? process.cwd()),
    ...(auth !== undefined && { auth: checkAuth(auth) }),
  };
  if (auth !== undefined && given.allowedOrigins !== undefined) {
    refuseOption(
      "Gateway (allowedOrigins)",
      "left out beside `auth`, which has `allowedOrigins` of its own",
      given.allowedOrigins,
    );
  }
  if (given.ui !== undefined) checkUi("Gateway (ui)", given.ui);
  return { ...checked, operatorUi: operatorUi === false ? false : checkOperatorUi(operatorUi) };
}

function isFolder(value: unknown): boolean {
  return typeof value === "string" && (statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
