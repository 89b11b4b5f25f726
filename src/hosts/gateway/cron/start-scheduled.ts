import type { FireOptions } from "../../../operations/index.js";
import type { GatewayParts } from "../gateway-parts.js";
import { launch } from "../rpc/launch.js";

/** How this gateway starts the run of an occurrence; a run that is there already is found, not started again. */
export function startScheduled(parts: GatewayParts): FireOptions["start"] {
  return async ({ runId, input, auth }, key) => {
    await launch(parts, { key, runId, input, auth });
  };
}
