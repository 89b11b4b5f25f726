import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "../../../errors/service-error.js";
import { describeFailure } from "../../http/error-response.js";

/** Connections beyond the limit that are kept open as long as it takes to say so. */
const MOST_REFUSED = 64;
/** What they have to send their request, milliseconds. */
const REFUSED_MS = 5_000;

export interface ConnectionLimit {
  /** How many there are, those that are only told that there are too many not counted. */
  count(): number;
  isOver(request: IncomingMessage): boolean;
}

/** Answers every request of connections beyond `most` with 503, whatever they ask. */
export function limitConnections(server: Server, most: number): ConnectionLimit {
  const held = new Set<Socket>();
  server.maxConnections = most + MOST_REFUSED;
  server.on("connection", (socket) => {
    if (held.has(socket)) return;
    if (held.size >= most) return socket.setTimeout(REFUSED_MS, () => socket.destroy());
    held.add(socket);
    socket.once("close", () => held.delete(socket));
  });
  const isOver = ({ socket }: IncomingMessage) => !held.has(socket);
  const answer = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!isOver(request)) return answer.forEach((listener) => void listener.call(server, request, response));
    const { status, body } = describeFailure(tooMany(most));
    response.writeHead(status, {
      "Content-Type": "application/json",
      Connection: "close",
      "Retry-After": "1",
    });
    response.end(JSON.stringify(body));
  });
  return { count: () => held.size, isOver };
}

export function tooMany(most: number): ServiceError {
  return new ServiceError("CAPACITY_EXCEEDED", `The gateway holds as many connections as it may: ${most}.`, {
    details: { maxConnections: most },
  });
}
