import type { HostDescription } from "../../client/gateway-methods.js";
import { readVersion } from "../../process/installation.js";
import { readinessOf } from "../http/readiness.js";
import type { Caller } from "./caller.js";
import type { GatewayParts } from "./gateway-parts.js";

/** The gateway as clients see it. */
export async function describeHost(
  { options, workspace }: GatewayParts,
  caller: Caller | null,
): Promise<HostDescription> {
  const { protocol, features, workspaceRoot } = options;
  return {
    ...(await readinessOf(workspace.databases())),
    protocol,
    features,
    version: readVersion(),
    ...(caller?.isAuthenticated === true && { workspaceRoot }),
  };
}
