import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface LoopbackServer {
  readonly url: string;
  readonly received: ReceivedRequest[];
}

/** An HTTP server on loopback for one test; it keeps what it was sent. */
export async function loopbackServer(
  answer: (request: ReceivedRequest, response: ServerResponse) => void = (_, response) => response.end(),
): Promise<LoopbackServer> {
  const received: ReceivedRequest[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString("latin1") };
    received.push(seen);
    answer(seen, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A port on loopback that counts connections and answers each with a line of HTTP. */
export async function connectionCounter(): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
