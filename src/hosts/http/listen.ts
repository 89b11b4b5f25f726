import type { Server } from "node:http";
import { ServiceError } from "../../errors/service-error.js";
import { addressRefusal } from "./address-refusal.js";
import { errorResponse } from "./error-response.js";
import { isLoopbackHost } from "./loopback.js";
import { loadNodeServer } from "./load-hono.js";
import { closeOwnPort } from "../../network/own-ports.js";
import { serviceLog } from "../../observability/log/service-log.js";
import { builtin } from "../../util/builtin.js";

export interface ListenOptions {
  /** 0: any free one. @default 7331 */
  port?: number;
  /** Address to listen at. @default "127.0.0.1" */
  host?: string;
  /** Listen beyond this machine without a token, behind a proxy that guards it. @default false */
  insecure?: boolean;
  /** Milliseconds to receive the headers of a request. @default 30000 */
  headersTimeout?: number;
  /** Milliseconds to receive one request, its body included. @default 60000 */
  requestTimeout?: number;
}

interface FetchApp {
  fetch(request: Request): Response | Promise<Response>;
}

/** How often connections are looked at for the timeouts, milliseconds at most and at least. */
const LONGEST_CHECK_MS = 5_000;
const SHORTEST_CHECK_MS = 50;

/** The time that clients have to finish their requests once the runs have been released, milliseconds. */
const CLOSE_GRACE_MS = 2_000;

/** @throws SERVER_INSECURE_BIND */
export function refuseInsecureBind(
  host: string,
  options: { authToken?: string | undefined; insecure: boolean },
): void {
  if (isLoopbackHost(host) || options.authToken !== undefined || options.insecure) return;
  throw new ServiceError(
    "SERVER_INSECURE_BIND",
    `${host} is reached from other machines, and there is no token.`,
    {
      details: { host },
    },
  );
}

/** Says, where a host begins to listen without credentials, what that means. */
export function warnOfOpenHost(what: string): void {
  serviceLog.log(
    "Warn",
    `${what} has no credentials: every program and user of this machine may start runs and decide approvals`,
    {},
  );
}

/** A server for an app; it does not listen yet. */
export function createHttpServer(
  app: FetchApp,
  { headersTimeout, requestTimeout }: Required<Pick<ListenOptions, "headersTimeout" | "requestTimeout">>,
): Server {
  const timeouts = [headersTimeout, requestTimeout].filter((ms) => ms > 0);
  const answer = loadNodeServer().getRequestListener(app.fetch, {
    // Its own Request and Response would replace those of the whole process, tasks and their tools included.
    overrideGlobalObjects: false,
    // HTTP/1.0 knows no Host. The header decides who is let in, not this.
    hostname: "localhost",
    errorHandler: refuseUnreadable,
  });
  const halfTime = Math.ceil(Math.min(LONGEST_CHECK_MS, ...timeouts) / 2);
  const server = builtin("node:http").createServer(
    { connectionsCheckingInterval: Math.max(SHORTEST_CHECK_MS, halfTime) },
    (request, response) => void answer(request, response),
  );
  closeToTools(server);
  server.headersTimeout = headersTimeout;
  server.requestTimeout = requestTimeout;
  return server;
}

/** An agent of a run that is driven here must not decide it, or start another one, by a request to its own host. */
function closeToTools(server: Server): void {
  server.on("listening", () => {
    const address = server.address();
    if (address === null || typeof address === "string") return;
    server.once("close", closeOwnPort(address.port));
  });
}

/** Requests that no app gets to see: a target or a Host that is none. */
function refuseUnreadable(): Response {
  return errorResponse(
    new ServiceError("INVALID_INPUT", "The address of the request, or its Host, cannot be read."),
    { "Cache-Control": "no-store" },
  );
}

/** Puts an app behind a listening server. A failure to listen comes as the event `error`: ADDRESS_IN_USE, INVALID_INPUT. Closing the server calls `onClose` and ends the streams. */
export function listen(
  app: FetchApp,
  options: Required<ListenOptions>,
  onClose: () => Promise<void>,
): Server {
  const { port, host } = options;
  const server = createHttpServer(app, options);
  const close = server.close.bind(server);
  let closing: Promise<void> | undefined;
  server.close = (callback) => {
    closing ??= onClose();
    void closing.finally(() => {
      close(callback);
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS).unref();
    });
    return server;
  };
  const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean;
  server.emit = (event: string, ...args: unknown[]) =>
    event === "error" ? emit(event, addressRefusal(args[0], { port, host })) : emit(event, ...args);
  return server.listen(port, host);
}
