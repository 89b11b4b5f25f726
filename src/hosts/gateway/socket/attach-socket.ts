import type { Server } from "node:http";
import type { GatewayParts } from "../gateway-parts.js";

export interface AttachedSocket {
  /** Ends all connections. */
  close(): Promise<void>;
  /** How many there are. */
  connections(): number;
}

/** Lets WebSockets connect to a server. */
export function attachSocket(_server: Server, _parts: GatewayParts): AttachedSocket {
  return { close: async () => {}, connections: () => 0 };
}
