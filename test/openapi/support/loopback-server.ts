import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it arrived on the wire. */
export interface ReceivedRequest {
  method: string;
  /** Path and query exactly as sent. */
  target: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** In order of arrival. */
  requests: ReceivedRequest[];
  /** The last request. */
  last(): ReceivedRequest;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

const ok: Answer = (_request, response) => {
  response.setHeader("content-type", "application/json").end("{}");
};

/** Starts an HTTP server that records what arrives; it is closed when the test ends. */
export async function startLoopback(answer: Answer = ok): Promise<LoopbackServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const request = {
      method: message.method ?? "",
      target: message.url ?? "",
      headers: message.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    last() {
      const request = requests.at(-1);
      if (request === undefined) throw new Error("no request has arrived");
      return request;
    },
  };
}

/** An answer with this status and JSON body. */
export function json(value: unknown, status = 200): Answer {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
}

/** A loopback port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
