import { statSync } from "node:fs";
import { resolve } from "node:path";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { checkAuth } from "./auth/check-auth.js";
import type {
  GatewayAuthConfig,
  GatewayDefaults,
  GatewayOperatorUiConfig,
  GatewayOptions,
  GatewayUiConfig,
} from "./gateway-options.js";
import { checkOperatorUi, checkUi } from "./ui/check-ui.js";

const RULES: rules.OptionRules<GatewayOptions> = {
  protocol: rules.positiveInteger,
  features: rules.texts,
  heartbeatMs: rules.positiveInteger,
  auth: rules.record,
  ui: rules.anything,
  workspaceRoot: rules.checked("a folder that exists", isFolder),
  operatorUi: rules.anything,
  defaults: rules.record,
  maxBodyBytes: rules.positiveInteger,
  maxPayload: rules.positiveInteger,
  maxConnections: rules.positiveInteger,
  maxActiveRuns: rules.positiveInteger,
  maxActiveTasks: rules.positiveInteger,
  eventWindowSize: rules.positiveInteger,
  outOfProcessEventBridge: rules.flag,
  outOfProcessEventBridgePollMs: rules.positiveInteger,
  headersTimeout: rules.milliseconds,
  requestTimeout: rules.milliseconds,
};

const DEFAULTS_RULES: rules.OptionRules<GatewayDefaults> = {
  cliAgentTools: rules.oneOf(["all", "explicit-only"]),
  outOfProcessEventBridge: rules.flag,
  outOfProcessEventBridgePollMs: rules.positiveInteger,
};

/** Every option with its default; undefined where there is none. */
export interface CheckedGatewayOptions
  extends Required<
    Omit<GatewayOptions, "auth" | "ui" | "defaults" | "operatorUi" | "maxActiveRuns" | "maxActiveTasks">
  > {
  maxActiveRuns: number | undefined;
  maxActiveTasks: number | undefined;
  auth: GatewayAuthConfig | undefined;
  ui: GatewayUiConfig | undefined;
  operatorUi: GatewayOperatorUiConfig | false;
  cliAgentTools: GatewayDefaults["cliAgentTools"];
}

/** @throws INVALID_INPUT for an option that is unknown or not as described */
export function checkGatewayOptions(given: GatewayOptions): CheckedGatewayOptions {
  checkOptions("Gateway", given, RULES);
  const { auth, ui, operatorUi = {}, defaults = {}, ...options } = given;
  checkOptions("Gateway (defaults)", defaults, DEFAULTS_RULES);
  if (auth !== undefined) checkAuth(auth);
  if (ui !== undefined) checkUi("Gateway (ui)", ui);
  if (operatorUi !== false) checkOperatorUi(operatorUi);
  return {
    protocol: 1,
    features: ["streaming", "runs"],
    heartbeatMs: 15_000,
    maxBodyBytes: 1_048_576,
    maxPayload: 1_048_576,
    maxConnections: 1_000,
    maxActiveRuns: undefined,
    maxActiveTasks: undefined,
    eventWindowSize: 10_000,
    outOfProcessEventBridge: defaults.outOfProcessEventBridge ?? true,
    outOfProcessEventBridgePollMs: defaults.outOfProcessEventBridgePollMs ?? 1_000,
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    ...withoutUndefined(options),
    workspaceRoot: resolve(options.workspaceRoot ?? process.cwd()),
    auth,
    ui,
    operatorUi,
    cliAgentTools: defaults.cliAgentTools,
  };
}

function withoutUndefined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

function isFolder(value: unknown): boolean {
  return typeof value === "string" && (statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
