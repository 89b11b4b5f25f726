import type { HostDescription } from "../../client/gateway-methods.js";
import { readVersion } from "../../process/installation.js";
import type { Caller } from "./caller.js";
import type { GatewayParts } from "./gateway-parts.js";

/** What a client is told of the gateway. */
export function describeHost({ options }: GatewayParts, caller: Caller | null): HostDescription {
  const { protocol, features, workspaceRoot } = options;
  return {
    ok: true,
    protocol,
    features,
    version: readVersion(),
    ...(caller?.isAuthenticated === true && { workspaceRoot }),
  };
}
