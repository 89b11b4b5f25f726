// treadle/client, for Node: as index.ts, with a WebSocket also where Node has none
import { type ClientOptions, createGatewayClient, type GatewayClient } from "./gateway-client.js";
import { nodeSocket } from "./node-socket.js";

export { bootData } from "./boot-data.js";
export { ClientError } from "./client-error.js";

/** A client of the gateway at an address. @throws INVALID_INPUT for an address that is none, or an option that there is not */
export function createClient(options: ClientOptions = {}): GatewayClient {
  return createGatewayClient(options, nodeSocket);
}
