import { bootData } from "./boot-data.js";
import { ClientError } from "./client-error.js";
import { pageToken } from "./page-token.js";
import { Closing } from "./closing.js";
import { SharedSocket, type ConnectionState } from "./shared-socket.js";
import type { ReconnectOptions } from "./back-off.js";
import { gatewayAddress } from "./gateway-address.js";
import { METHOD_NAMES, type GatewayMethodName, type GatewayMethods } from "./gateway-methods.js";
import {
  type Call,
  type CallOptions,
  closedError,
  createHttpCalls,
  type TokenSource,
  tokenOf,
} from "./http-calls.js";
import { extensionItems } from "./extension-items.js";
import { follow, type Followed } from "./follow.js";
import { refuseUnknown } from "./refuse-unknown.js";
import { type RunEventsOptions, runEvents, type SequencedEvent } from "./run-events.js";
import { taskOutput, type TaskOutputOptions, type SpokenText } from "./task-output.js";
import { type WorkspaceChange, workspaceChanges } from "./workspace-changes.js";
import type { FindSocket, SocketConstructor } from "./socket.js";

/** How a client reaches its gateway. */
export interface ClientOptions {
  /** Address of the gateway, such as `http://127.0.0.1:7331`. @default in pages of a gateway that gateway, in others their origin */
  url?: string | URL;
  /**
   * Bearer token, or what gives one: it is asked for at every call. Sent in a header or a frame, never in an address.
   * @default on a page of the gateway, without `url`: the one that the tab was opened with
   */
  token?: TokenSource;
  /** Milliseconds until a call fails with CLIENT_TIMEOUT. @default 60000 */
  timeoutMs?: number;
  /** Waits between the tries to connect again. */
  reconnect?: ReconnectOptions;
  /** Sent to the gateway, for its log. @default "treadle" */
  id?: string;
  /** @default the global one */
  fetch?: typeof fetch;
  /** @default the global one; `ws` in Node where there is none */
  WebSocket?: SocketConstructor;
}

type ParamsOf<M extends GatewayMethodName> = GatewayMethods[M]["params"];

/** Every method of the gateway, by its name. */
type MethodCalls = {
  readonly [M in GatewayMethodName]: (
    ...args: Record<never, never> extends ParamsOf<M>
      ? [params?: ParamsOf<M>, options?: CallOptions]
      : [params: ParamsOf<M>, options?: CallOptions]
  ) => Promise<GatewayMethods[M]["result"]>;
};

/** A gateway as a program elsewhere sees it. */
export interface GatewayClient extends MethodCalls {
  /** Base address of the gateway. */
  readonly url: string;
  /** How the WebSocket of the streams stands; calls do not need it. */
  readonly connection: ConnectionState;
  /** Calls a method by its name, such as one of an extension: `ext.<namespace>.<key>`. */
  call(method: string, params?: unknown, options?: CallOptions): Promise<unknown>;
  /**
   * The events of a run as they come, until it has ended: each once, also when connections are lost or the
   * gateway is started anew.
   * @example
   * for await (const { seq, event } of client.runEvents(runId)) console.log(seq, event.type);
   */
  runEvents(runId: string, options?: RunEventsOptions): AsyncGenerator<SequencedEvent, void, void>;
  /**
   * Output of a run's tasks and their agents, as it comes, until the run has ended.
   * @example
   * for await (const { kind, text } of client.taskOutput(runId, { nodeId: "draft" })) if (kind === "output") console.log(text);
   */
  taskOutput(runId: string, options?: TaskOutputOptions): AsyncGenerator<SpokenText, void, void>;
  /**
   * Changes in the gateway's lists of runs, approvals and schedules, as they happen, so that the lists need no polling. It begins with
   * `all`, and has it again after each lost connection: whatever was read before may have changed.
   * @example
   * for await (const { kind } of client.changes()) if (kind === "all" || kind === "runs") show(await client.listRuns());
   */
  changes(options?: { signal?: AbortSignal }): AsyncGenerator<WorkspaceChange, void, void>;
  /**
   * The items of an extension's stream, `ext.<namespace>.<key>`, until it ends. They cannot be replayed: when the
   * connection is lost, it fails with CLIENT_STREAM_LOST.
   */
  stream(
    method: string,
    params?: object,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<unknown, void, void>;
  /** Calls the listener whenever `connection` has changed. Returns how to end that. */
  onConnection(listener: () => void): () => void;
  /** Ends streams and calls; later ones fail with CLIENT_CLOSED. */
  close(): void;
}

const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  token: true,
  timeoutMs: true,
  reconnect: true,
  id: true,
  fetch: true,
  WebSocket: true,
};
const RECONNECT_OPTIONS: Readonly<Record<keyof ReconnectOptions, true>> = {
  minDelayMs: true,
  maxDelayMs: true,
};

const PROTOCOL = 1;
const HANDSHAKE_MS = 15_000;

/** @param findSocket finds a WebSocket where there is no global one */
export function createGatewayClient(options: ClientOptions, findSocket: FindSocket): GatewayClient {
  const {
    token = options.url === undefined ? pageToken : undefined,
    timeoutMs = 60_000,
    reconnect = {},
    id = "treadle",
  } = options;
  refuseUnknown("createClient", options, OPTIONS);
  refuseUnknown("reconnect", reconnect, RECONNECT_OPTIONS);
  const address = gatewayAddress(options.url ?? pageOrigin());
  const closing = new Closing();
  const call = createHttpCalls({
    base: address.http,
    token,
    // Called by its global name: browsers refuse it as a method of another object.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    timeoutMs,
    closing,
  });
  const connection = new SharedSocket({
    url: address.socket,
    findSocket: () => options.WebSocket ?? findSocket(),
    async hello() {
      const credentials = await tokenOf(token);
      return {
        minProtocol: PROTOCOL,
        maxProtocol: PROTOCOL,
        client: { id, version: "1" },
        ...(credentials !== undefined && { auth: { token: credentials } }),
      };
    },
    probe: () => call("health", {}, { timeoutMs: HANDSHAKE_MS }),
    reconnect,
    handshakeMs: HANDSHAKE_MS,
  });
  async function* followed<T>(
    what: Followed<T>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T, void, void> {
    if (closing.isClosed) throw closedError();
    const both = new AbortController();
    const stop = () => both.abort();
    const release = closing.onClose(stop);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    try {
      yield* follow(connection, what, both.signal);
      if (closing.isClosed) throw closedError();
    } finally {
      release();
      signal?.removeEventListener("abort", stop);
    }
  }
  return {
    ...methodCalls(call),
    url: address.http,
    get connection() {
      return connection.state;
    },
    call,
    runEvents: (runId, request = {}) => followed(runEvents(runId, request), request.signal),
    taskOutput: (runId, request = {}) => followed(taskOutput(runId, request), request.signal),
    changes: ({ signal } = {}) => followed(workspaceChanges(), signal),
    stream: (method, params = {}, { signal } = {}) => followed(extensionItems(method, params), signal),
    onConnection: (listener) => connection.onChange(listener),
    close() {
      closing.close();
      connection.close();
    },
  };
}

function methodCalls(call: Call): MethodCalls {
  const entries = METHOD_NAMES.map((method) => [
    method,
    (params?: unknown, options?: CallOptions) => call(method, params, options),
  ]);
  return Object.fromEntries(entries) as MethodCalls;
}

/** @throws INVALID_INPUT outside of a page */
function pageOrigin(): string {
  const page = (globalThis as { location?: { origin?: string; href?: string } }).location;
  if (page?.href !== undefined && page.origin !== "null") {
    const { origin, pathname } = new URL(bootData()?.basePath ?? "/", page.href);
    return origin + pathname;
  }
  throw new ClientError({
    code: "INVALID_INPUT",
    message: 'createClient needs the address of the gateway: createClient({ url: "http://127.0.0.1:7331" }).',
  });
}
