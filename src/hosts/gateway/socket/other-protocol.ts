import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Whether a request asks for the one protocol that a connection here may change to. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Answers a request for another protocol, such as HTTP/2, as one that asks for none: who asks goes on with what the
 * server speaks. Node has taken the connection from its parser by then, and gets the request once more.
 */
export function answerWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== "upgrade") lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  // The server's own; it listens again.
  socket.removeAllListeners("timeout");
  server.emit("connection", socket);
}
