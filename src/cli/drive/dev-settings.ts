import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { GatewayOptions, GatewayRegisterOptions } from "../../hosts/gateway/gateway-options.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { checkFoundSettings, GATEWAY_SETTINGS } from "../../process/found-settings.js";
import { checkTrustedCode } from "../../store/index.js";

/** What `treadle dev` takes from the settings of a gateway. */
export interface DevSettings {
  /** Their name, as it is shown. */
  name: string;
  path: string;
  options: GatewayOptions;
  /** Files of workflows that they name, by key. */
  files: ReadonlyMap<string, string>;
  /** Workflows that they bring along as values: their saves cannot be followed. */
  values: ReadonlyMap<string, ServiceWorkflow>;
  /** How each is registered, by key. */
  registrations: ReadonlyMap<string, GatewayRegisterOptions>;
}

/**
 * The settings of the workspace, if it has any.
 * @throws INVALID_INPUT; CLI_USAGE for a module that makes its gateway itself; as loadModule, and as `treadle gateway` for a file that
 * is not to be trusted
 */
export async function readDevSettings(root: string, cwd: string): Promise<DevSettings | undefined> {
  const path = GATEWAY_SETTINGS.map((name) => join(root, name)).find((file) => existsSync(file));
  if (path === undefined) return undefined;
  checkTrustedCode(path);
  checkFoundSettings(path);
  const [{ loadModule }, { checkGatewayConfig }] = await Promise.all([
    import("../../loader/load-workflow.js"),
    import("../../hosts/gateway/gateway-config.js"),
  ]);
  const { module, shown } = await loadModule(path, { cwd });
  const exported: unknown = module["default"];
  if (typeof (exported as { listen?: unknown } | undefined)?.listen === "function") {
    throw new ServiceError(
      "CLI_USAGE",
      `${shown} exports a Gateway, whose workflows cannot be followed. Export its options with \`workflows\` instead, or use \`treadle gateway\`.`,
      { details: { path } },
    );
  }
  const { workflows, ...options } = checkGatewayConfig(exported, shown);
  const files = new Map<string, string>();
  const values = new Map<string, ServiceWorkflow>();
  const registrations = new Map<string, GatewayRegisterOptions>();
  for (const [key, entry] of Object.entries(workflows)) {
    const { workflow, ...registered } =
      typeof entry === "object" && "workflow" in entry ? entry : { workflow: entry };
    registrations.set(key, registered);
    if (typeof workflow === "string") files.set(key, resolve(dirname(path), workflow));
    else values.set(key, workflow);
  }
  return { name: basename(path), path, options, files, values, registrations };
}

/** Calls once for each save of the settings; looked at by time, since they are one file. @returns ends that */
export function onSavedSettings({ path }: DevSettings, listener: () => void): () => void {
  let seenMs = savedMs(path);
  const timer = setInterval(() => {
    const nowMs = savedMs(path);
    if (nowMs === seenMs) return;
    seenMs = nowMs;
    listener();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const LOOK_MS = 500;

/** 0 while it is not there: an editor may save by taking it away for a moment. */
function savedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
