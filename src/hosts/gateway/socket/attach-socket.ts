import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { RunFeeds, WorkspaceFeed } from "../../../operations/index.js";
import { serviceMetrics } from "../../../metrics/catalog.js";
import { ServiceError } from "../../../errors/service-error.js";
import { builtin } from "../../../util/builtin.js";
import type { Clock } from "../../../util/clock.js";
import { describeFailure } from "../../http/error-response.js";
import { loadWebSockets } from "../../http/load-hono.js";
import { refuseOrigin } from "../auth/authenticator.js";
import type { GatewayParts } from "../gateway-parts.js";
import { CLOSE } from "./close-codes.js";
import { CLOSE_GRACE_MS, Connection } from "./connection.js";
import { onWebSocketRequest } from "./other-protocol.js";

export interface AttachedSocket {
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Requests come over so many connections beside those of WebSockets; what goes beyond is hung up on. */
const MOST_REQUESTING = 1_000;

/** Connections are looked at this often at most, and at least, milliseconds. */
const LONGEST_CHECK_MS = 1_000;
const SHORTEST_CHECK_MS = 10;

/** Lets WebSockets connect to a server, on every path of it, as many as may. */
export function attachSocket(server: Server, parts: GatewayParts): AttachedSocket {
  const { options, workspace } = parts;
  const { maxPayload, maxConnections, heartbeatMs } = options;
  const { clock } = workspace;
  server.maxConnections = maxConnections + MOST_REQUESTING;
  const pollMs = options.outOfProcessEventBridge ? options.outOfProcessEventBridgePollMs : 0;
  const feeds = new RunFeeds({ pollMs, clock });
  const changes = new WorkspaceFeed({ pollMs, clock });
  // Compressed frames could be a thousand times as large as the limit on sent bytes.
  const sockets = new (loadWebSockets().WebSocketServer)({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    clientTracking: false,
    // There is none of its own, and to name one that was asked for would be to agree to it.
    handleProtocols: () => false,
  });
  sockets.on("wsClientError", ({ message }, socket) => {
    refuseUpgrade(socket, new ServiceError("INVALID_INPUT", `This begins no WebSocket: ${message}.`));
  });
  const connections = new Map<Connection, Promise<void>>();
  const checks = regularChecks(connections, { clock, heartbeatMs });

  onWebSocketRequest(server, (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const headers = headersOf(request);
    try {
      if (connections.size >= maxConnections) throw tooMany(maxConnections);
      if (parts.signal.aborted) throw new ServiceError("CAPACITY_EXCEEDED", "The gateway closes.");
      refuseOrigin(parts.authenticator, headers);
    } catch (error) {
      return refuseUpgrade(socket, error);
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      serviceMetrics.websocketConnections.add(1);
      serviceMetrics.websocketConnectionsTotal.add();
      const connection = new Connection({
        socket: webSocket,
        headers,
        peer: request.socket.remoteAddress,
        parts,
        feeds,
        changes,
      });
      const ended = new Promise<void>((resolve) => webSocket.once("close", () => resolve()));
      connections.set(connection, ended);
      checks.begin();
      void ended.then(() => {
        connections.delete(connection);
        serviceMetrics.websocketConnections.add(-1);
      });
    });
  });

  return {
    async close() {
      checks.end();
      for (const connection of connections.keys())
        connection.close(CLOSE.gatewayCloses, "The gateway closes.");
      const late = setTimeout(() => {
        for (const connection of connections.keys()) connection.terminate();
      }, CLOSE_GRACE_MS);
      await Promise.all(connections.values());
      clearTimeout(late);
    },
  };
}

/** As long as there are connections: a gateway without any does not wake for them. */
function regularChecks(
  connections: ReadonlyMap<Connection, unknown>,
  { clock, heartbeatMs }: { clock: Clock; heartbeatMs: number },
): { begin(): void; end(): void } {
  const everyMs = Math.max(SHORTEST_CHECK_MS, Math.min(LONGEST_CHECK_MS, heartbeatMs / 2));
  let passedMs = 0;
  let disarm: (() => void) | undefined;
  const check = () => {
    passedMs += everyMs;
    for (const connection of connections.keys()) connection.check(passedMs);
    disarm = connections.size === 0 ? undefined : clock.setDelay(everyMs, check);
  };
  return {
    begin() {
      disarm ??= clock.setDelay(everyMs, check);
    },
    end: () => disarm?.(),
  };
}

function tooMany(most: number): ServiceError {
  return new ServiceError("CAPACITY_EXCEEDED", `The gateway holds as many WebSockets as it may: ${most}.`, {
    details: { maxConnections: most },
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) all.append(name, each);
  }
  return all;
}

/** Answers a request for a WebSocket as any other one that is refused. */
function refuseUpgrade(socket: Duplex, thrown: unknown): void {
  const { status, body } = describeFailure(thrown);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${builtin("node:http").STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
