// treadle/client, for browsers and other places with a global WebSocket
import { ClientError } from "./client-error.js";
import { type ClientOptions, createGatewayClient, type GatewayClient } from "./gateway-client.js";
import type { SocketConstructor } from "./socket.js";

export type { ReconnectOptions } from "./back-off.js";
export { bootData, type BootData } from "./boot-data.js";
export { ClientError, type ReceivedError } from "./client-error.js";
export type { ConnectionState } from "./shared-socket.js";
export type { ClientOptions, GatewayClient } from "./gateway-client.js";
export type { GatewayMethodName, GatewayMethods } from "./gateway-methods.js";
export type { CallOptions, TokenSource } from "./http-calls.js";
export type { EventGap, RunEventsOptions, SequencedEvent } from "./run-events.js";
export type { WorkspaceChange } from "./workspace-changes.js";
export type { TaskOutputOptions, SpokenText } from "./task-output.js";
export type { SocketConstructor, SocketLike } from "./socket.js";

/**
 * A client of the gateway at an address.
 * @throws INVALID_INPUT for an address that is none, or an option that there is not
 * @example
 * const client = createClient({ url: "http://127.0.0.1:7331", token: process.env.TREADLE_TOKEN });
 * const { runId } = await client.launchRun({ workflow: "deploy", input: { version: "2.1" } });
 */
export function createClient(options: ClientOptions = {}): GatewayClient {
  return createGatewayClient(options, globalSocket);
}

function globalSocket(): SocketConstructor {
  const { WebSocket } = globalThis as { WebSocket?: SocketConstructor };
  if (WebSocket !== undefined) return WebSocket;
  throw new ClientError({
    code: "CLIENT_WEBSOCKET_MISSING",
    message:
      "There is no global WebSocket here. Pass one: createClient({ WebSocket }), such as that of the package ws.",
  });
}
