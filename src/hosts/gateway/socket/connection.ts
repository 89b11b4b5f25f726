import { ensureError } from "../../../errors/ensure-error.js";
import { ServiceError } from "../../../errors/service-error.js";
import { httpStatusOf } from "../../../errors/codes.js";
import type { RawData, WebSocket } from "ws";
import type { RunFeeds, WorkspaceFeed } from "../../../operations/index.js";
import { checkJson } from "../../http/read-json.js";
import type { PresentedCredentials } from "../auth/authenticator.js";
import type { Caller } from "../caller.js";
import type { GatewayParts } from "../gateway-parts.js";
import { callMethod } from "../rpc/call-method.js";
import { countCall } from "../rpc/count-call.js";
import { CLOSE, type CloseCode } from "./close-codes.js";
import {
  errorFrame,
  errorOf,
  eventFrame,
  idOf,
  readFrame,
  type RequestFrame,
  resultFrame,
} from "./frames.js";
import { connectParams, hello, refuseProtocol } from "./hello.js";
import { Liveness } from "./liveness.js";
import { openStream, OpenStreams } from "./open-streams.js";
import { Outbox } from "./outbox.js";

export interface ConnectionOptions {
  socket: WebSocket;
  /** Of the request for the WebSocket. */
  headers: Headers;
  /** Address that it came from. */
  peer: string | undefined;
  parts: GatewayParts;
  feeds: RunFeeds;
  changes: WorkspaceFeed;
}

/** Requests that may be under way at the same time. */
const MOST_REQUESTS = 64;
/** Requests that may come before `connect` is answered. */
const MOST_EARLY = 8;
/** The time that a client has to answer the closing of the connection, milliseconds. */
export const CLOSE_GRACE_MS = 2_000;
/** Frames that are no requests, before a client is taken for broken. */
const MOST_MISTAKES = 20;

/**
 * One client.
 *
 * Invariants: before `connect` has succeeded it gets nothing but refusals; each request is made with
 * credentials that hold at that moment; each request gets one response.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #outbox: Outbox;
  readonly #liveness: Liveness;
  readonly #streams: OpenStreams;
  readonly #gone = new AbortController();
  readonly #requests = new Set<string>();
  #credentials: PresentedCredentials;
  #caller: Caller | undefined;
  /** The credentials were looked at, and do not hold: others than those of a method that says so itself. */
  #isRefused = false;
  /** Settles with the answer to `connect`. */
  #connecting: Promise<void> | undefined;
  #early = 0;
  #mistakes = 0;
  #closedMs: number | undefined;

  constructor(options: ConnectionOptions) {
    const { socket, headers, peer, parts } = options;
    this.#options = options;
    this.#credentials = { headers, peer };
    this.#outbox = new Outbox(socket);
    this.#streams = new OpenStreams(this.#outbox, this.#gone.signal);
    this.#liveness = new Liveness(parts.options.heartbeatMs);
    socket.on("message", (data, isBinary) => this.#hear(data, isBinary));
    socket.on("pong", () => this.#liveness.heard());
    socket.on("ping", () => this.#liveness.heard());
    // The library has closed it, or is about to.
    socket.on("error", () => undefined);
    socket.once("close", () => this.#gone.abort());
  }

  get isOpen(): boolean {
    const { socket } = this.#options;
    return socket.readyState === socket.OPEN;
  }

  /** Called regularly. @param nowMs milliseconds that have passed since whenever */
  check(nowMs: number): void {
    const { socket } = this.#options;
    if (!this.isOpen) {
      this.#closedMs ??= nowMs;
      if (nowMs - this.#closedMs >= CLOSE_GRACE_MS) socket.terminate();
      return;
    }
    const verdict = this.#liveness.check(nowMs, {
      isConnected: this.#caller !== undefined,
      stuckMs: this.#outbox.stuckMs(nowMs),
    });
    if (verdict === "silent") return this.close(CLOSE.silent, "Nothing was heard of the client.");
    if (verdict === "not-connected") return this.close(CLOSE.silent, "There was no connect within 10 s.");
    if (verdict === "stuck") return this.close(CLOSE.slowConsumer, "The client does not read.");
    if (verdict === "ping") socket.ping();
    if (this.#caller === undefined) return;
    const tick = this.#liveness.tick(nowMs);
    if (tick !== undefined && !this.#outbox.isFull) {
      const payload = JSON.stringify({ atMs: this.#options.parts.workspace.clock.now() });
      this.#outbox.send(eventFrame({ event: "tick", seq: tick }, payload));
    }
    void this.#identify();
  }

  close(code: CloseCode, reason: string): void {
    this.#gone.abort();
    this.#options.socket.close(code, reason);
  }

  /** Without a word: the other side says nothing either. */
  terminate(): void {
    this.#options.socket.terminate();
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (!this.isOpen || this.#gone.signal.aborted) return;
    this.#liveness.heard();
    if (isBinary) return this.close(CLOSE.binaryFrame, "Frames are text.");
    const text = String(data);
    let frame: RequestFrame;
    try {
      frame = readFrame(text);
    } catch (error) {
      this.#mistakes += 1;
      this.#outbox.send(errorFrame(idOf(text), error));
      if (this.#mistakes > MOST_MISTAKES)
        this.close(CLOSE.misbehaves, "Too many frames that are no requests.");
      return;
    }
    void this.#respond(frame);
  }

  /** Never rejects. */
  async #respond(frame: RequestFrame): Promise<void> {
    const { id } = frame;
    if (this.#requests.has(id) || this.#requests.size >= MOST_REQUESTS) {
      return this.#outbox.send(errorFrame(id, this.#refusal(id)));
    }
    this.#requests.add(id);
    try {
      await countCall(this.#options.parts, frame.method, () => this.#answer(frame));
    } catch (thrown) {
      const error = ensureError(thrown);
      if (httpStatusOf(errorOf(error).code) >= 500) this.#options.parts.onFailure(error);
      this.#outbox.send(errorFrame(id, error));
      if (ServiceError.is(error, "PROTOCOL_MISMATCH")) this.close(CLOSE.wrongProtocol, error.message);
      if (this.#isRefused) this.close(CLOSE.refused, "The credentials are not, or no longer, valid.");
    } finally {
      this.#requests.delete(id);
    }
  }

  /** @throws UNAUTHORIZED; the connection ends once that is sent */
  async #letIn(credentials: PresentedCredentials): Promise<Caller> {
    try {
      return await this.#options.parts.authenticator.identify(credentials);
    } catch (error) {
      this.#isRefused = true;
      throw error;
    }
  }

  async #answer({ id, method, params }: RequestFrame): Promise<void> {
    if (method === "connect") return this.#connect(id, params);
    if (this.#caller === undefined) await this.#connected();
    const { parts, feeds, changes } = this.#options;
    const caller = await this.#letIn(this.#credentials);
    this.#caller = caller;
    const opened = await openStream(this.#streams, { parts, feeds, changes, caller, method, params });
    if (opened !== undefined) {
      this.#outbox.send(resultFrame(id, opened.answer));
      return opened.begin();
    }
    const payload = await callMethod(parts, {
      name: method,
      params,
      caller,
      signal: () => this.#gone.signal,
    });
    this.#outbox.send(resultFrame(id, payload));
  }

  async #connect(id: string, given: unknown): Promise<void> {
    if (this.#connecting !== undefined || this.#caller !== undefined) {
      throw new ServiceError("INVALID_INPUT", "The client has connected already.");
    }
    const { parts, headers, peer } = this.#options;
    const params = checkJson(given ?? {}, connectParams, "params");
    refuseProtocol(parts.options, params);
    const credentials = { headers, peer, ...(params.auth !== undefined && { token: params.auth.token }) };
    const connecting = this.#greet(id, credentials).finally(() => {
      this.#connecting = undefined;
    });
    this.#connecting = connecting;
    return connecting;
  }

  async #greet(id: string, credentials: PresentedCredentials): Promise<void> {
    const { parts } = this.#options;
    const caller = await this.#letIn(credentials);
    const payload = await hello(parts, caller);
    this.#credentials = credentials;
    this.#caller = caller;
    this.#outbox.send(resultFrame(id, payload));
  }

  /**
   * Clients may send their first requests right behind `connect`.
   * @throws UNAUTHORIZED for what comes before it, or after one that is refused; RATE_LIMITED for too many
   */
  async #connected(): Promise<void> {
    if (this.#connecting !== undefined) {
      if (this.#early >= MOST_EARLY) {
        throw new ServiceError("RATE_LIMITED", `${MOST_EARLY} requests wait for the answer to connect.`);
      }
      this.#early += 1;
      await this.#connecting.catch(() => undefined);
    }
    if (this.#caller !== undefined) return;
    throw new ServiceError("UNAUTHORIZED", "A WebSocket begins with a connect that succeeds.");
  }

  /** Ends the connection of credentials that have expired or were revoked. */
  async #identify(): Promise<void> {
    try {
      this.#caller = await this.#options.parts.authenticator.identify(this.#credentials);
    } catch {
      this.close(CLOSE.refused, "The credentials are no longer valid.");
    }
  }

  #refusal(id: string): ServiceError {
    return this.#requests.has(id)
      ? new ServiceError("INVALID_INPUT", `A request ${JSON.stringify(id)} is under way.`)
      : new ServiceError(
          "RATE_LIMITED",
          `${MOST_REQUESTS} requests of this connection are under way: wait for an answer to one of them.`,
          { details: { maxRequests: MOST_REQUESTS } },
        );
  }
}
