import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Calls `listener` for each request for a WebSocket. One for another protocol, such as HTTP/2, is answered as one
 * that asks for none: who asks continues with what the server speaks.
 */
export function onWebSocketRequest(server: Server, listener: UpgradeListener): void {
  // Node 24.9 and newer asks first. Its successors read a body before they tell of an upgrade, and nothing brings it back.
  Object.assign(server, { shouldUpgradeCallback: asksForWebSocket });
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", ({ socket }, response) => answers.set(socket, response));
  server.on("upgrade", (request, socket, head) => {
    if (asksForWebSocket(request)) return listener(request, socket, head);
    const answer = () => answerWithoutUpgrade(server, request, { socket, head });
    const before = answers.get(socket);
    if (before === undefined || before.closed) return answer();
    // Of one that was sent before, on the same connection: two answers at once would be lost.
    const giveUp = () => void socket.destroy();
    socket.on("error", giveUp);
    before.once("close", () => {
      socket.off("error", giveUp);
      if (!socket.destroyed) answer();
    });
  });
}

/** Whether a request asks for the one protocol that a connection here may change to. */
function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Node has taken the connection from its parser by then, and gets the request once more. */
function answerWithoutUpgrade(
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
