import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.js";
import type { Dialect, StreamEvent } from "./dialect.js";
import { openaiChat } from "./openai-chat.js";
import { openaiResponses } from "./openai-responses.js";
import {
  type Answer,
  isFailure,
  type ModelRequest,
  type Protocol,
  type Reply,
  resolveAnswer,
} from "./reply.js";

export type { Answer, ModelRequest, Reply } from "./reply.js";

/** Replies in order, one per request, or a function of the request. After the last one: HTTP 500. */
export type Script = readonly Reply[] | ((request: ModelRequest) => Reply | Promise<Reply>);

export interface ModelServer {
  /** Base URL for every protocol: `http://127.0.0.1:<port>/v1`. */
  readonly baseURL: string;
  /** What has been asked so far. */
  readonly requests: ModelRequest[];
  /** Numbers of the requests whose caller hung up before the answer was complete. */
  readonly abandoned: number[];
  close(): Promise<void>;
}

const DIALECTS: Readonly<Record<Protocol, Dialect>> = {
  anthropic,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

const PATHS: Readonly<Record<string, Protocol>> = {
  "/v1/messages": "anthropic",
  "/v1/chat/completions": "openai-chat",
  "/v1/responses": "openai-responses",
};

/**
 * A model provider on loopback: real HTTP in the protocols of Anthropic (messages) and OpenAI
 * (chat completions and responses), plain and streamed, with scripted answers.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const abandoned: number[] = [];
  const server = createServer((incoming, response) => {
    serve({ incoming, response, script, requests, abandoned }).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { baseURL: `http://127.0.0.1:${port}/v1`, requests, abandoned, close: () => close(server) };
}

async function serve(exchange: {
  incoming: IncomingMessage;
  response: ServerResponse;
  script: Script;
  requests: ModelRequest[];
  abandoned: number[];
}): Promise<void> {
  const { incoming, response, script, requests, abandoned } = exchange;
  const path = new URL(incoming.url ?? "/", "http://localhost").pathname;
  const protocol = PATHS[path];
  const body = JSON.parse((await read(incoming)) || "{}") as Record<string, unknown>;
  if (protocol === undefined) {
    response.writeHead(404).end(JSON.stringify({ error: { message: `No such path: ${path}` } }));
    return;
  }
  const dialect = DIALECTS[protocol];
  const request: ModelRequest = {
    protocol,
    path,
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    streaming: body["stream"] === true,
    tools: dialect.tools(body),
    number: requests.length + 1,
  };
  requests.push(request);
  response.on("close", () => {
    if (!response.writableEnded) abandoned.push(request.number);
  });
  const exhausted: Reply = { status: 500, message: `The script has no reply to request ${request.number}.` };
  const reply =
    typeof script === "function" ? await script(request) : (script[request.number - 1] ?? exhausted);
  if ("silent" in reply) return;
  if (isFailure(reply)) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(dialect.error(reply)));
    return;
  }
  const answer = resolveAnswer(reply, request);
  if (request.streaming) {
    await stream({ response, reply, dialect, events: dialect.stream(answer, request) });
  } else {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(dialect.whole(answer, request)));
  }
}

async function stream(exchange: {
  response: ServerResponse;
  reply: Answer;
  dialect: Dialect;
  events: StreamEvent[];
}): Promise<void> {
  const { response, reply, dialect, events } = exchange;
  response.writeHead(200, { "content-type": "text/event-stream" });
  // Without it Node would hold the head back until the first event.
  response.flushHeaders();
  for (const [sent, event] of events.entries()) {
    if (sent === reply.pause?.afterEvents) await reply.pause.until;
    if (sent === reply.endAfter) break;
    if (sent === reply.cutAfter) {
      response.destroy();
      return;
    }
    if (sent === reply.failAfter?.events) {
      await write(response, dialect.streamError(reply.failAfter));
      break;
    }
    await write(response, event);
  }
  response.end();
}

/** Resolves when the event has left: a cut must not take earlier events with it. */
function write(response: ServerResponse, { event, data }: StreamEvent): Promise<void> {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return new Promise((written) => response.write(`${name}data: ${text}\n\n`, () => written()));
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => server.close(() => closed()));
}
