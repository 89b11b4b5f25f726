import type { GatewayScope } from "../../caller.js";

/** Methods of the protocol whose features this version does not have: they are answered with METHOD_NOT_AVAILABLE, and not advertised. */
export const ABSENT: Readonly<Record<string, GatewayScope>> = {
  replayRun: "run:admin",
};
