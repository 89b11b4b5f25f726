import { backOffMs, type ReconnectOptions } from "./back-off.js";
import { ClientError, receivedError, UNREADABLE } from "./client-error.js";
import { type EventFrame, Link } from "./link.js";
import { RequestQueue } from "./request-queue.js";
import type { FindSocket } from "./socket.js";

/** How the shared WebSocket of a client stands. */
export type ConnectionState =
  /** Nothing is streamed. */
  | { status: "idle" }
  /** `error`: why the connection before was lost; absent for a first one. */
  | { status: "connecting"; error?: ClientError }
  | { status: "open" }
  /** Lost; the next try comes at `retryAtMs`, epoch milliseconds. */
  | { status: "offline"; error: ClientError; retryAtMs: number }
  /** Refused: another try would be refused as well. The next stream that is opened makes one. */
  | { status: "refused"; error: ClientError };

/** A stream that is received over the connection, and after each loss from its last number. */
export interface Subscription {
  method: string;
  /** Of the next request: it says where to continue. */
  params(): Record<string, unknown>;
  onEvent(frame: EventFrame): void;
  /** It cannot be had. */
  onError(error: ClientError): void;
}

export interface SharedSocketOptions {
  url: string;
  findSocket: FindSocket;
  /** Params of `connect`. */
  hello(): Promise<Record<string, unknown>>;
  /** Asked when an opening failed without an answer: browsers do not tell a page why. Rejects with the reason. */
  probe(): Promise<unknown>;
  reconnect: ReconnectOptions;
  handshakeMs: number;
}

/** A subscription that ends may be followed by another one at once. */
const LINGER_MS = 1_000;
/** Codes that only a person can change. */
const FINAL = new Set(["UNAUTHORIZED", "FORBIDDEN", "PROTOCOL_MISMATCH", "CLIENT_WEBSOCKET_MISSING"]);

/**
 * The WebSocket that all streams of a client share: opened with the first of them, opened again with back-off
 * when it is lost, closed after the last.
 */
export class SharedSocket {
  readonly #options: SharedSocketOptions;
  /** By the id of their stream; undefined until the gateway has given them one. */
  readonly #subscriptions = new Map<Subscription, string | undefined>();
  /** Refused once over a connection that had been let in. */
  readonly #lapsed = new WeakMap<Subscription, ClientError>();
  readonly #listeners = new Set<() => void>();
  #state: ConnectionState = { status: "idle" };
  #link: Link | undefined;
  /** Of the link, once it is open. */
  #requests: RequestQueue | undefined;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SharedSocketOptions) {
    this.#options = options;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns how to end it. */
  subscribe(subscription: Subscription): () => void {
    clearTimeout(this.#linger);
    this.#subscriptions.set(subscription, undefined);
    if (this.#state.status === "open") this.#request(subscription);
    else if (this.#state.status === "idle" || this.#state.status === "refused") void this.#open();
    return () => {
      const streamId = this.#subscriptions.get(subscription);
      if (this.#drop(subscription) && streamId !== undefined) this.#stop(streamId);
    };
  }

  /** Whether it was there. The WebSocket ends soon after the last one, for whatever reason that has gone. */
  #drop(subscription: Subscription): boolean {
    if (!this.#subscriptions.delete(subscription)) return false;
    clearTimeout(this.#linger);
    if (this.#subscriptions.size === 0) this.#linger = setTimeout(() => this.close(), LINGER_MS);
    return true;
  }

  /** Ends the WebSocket; subscriptions that are left stay without events. */
  close(): void {
    clearTimeout(this.#linger);
    clearTimeout(this.#retry);
    const link = this.#link;
    this.#link = undefined;
    this.#requests?.close();
    this.#requests = undefined;
    link?.close();
    this.#set({ status: "idle" });
  }

  async #open(): Promise<void> {
    const before = this.#state;
    this.#set({ status: "connecting", ...(before.status === "offline" && { error: before.error }) });
    const { url, findSocket, hello, handshakeMs } = this.#options;
    try {
      const Socket = await findSocket();
      // Closed, or opened by another caller, while the implementation was looked for.
      if (this.#state.status !== "connecting" || this.#link !== undefined) return;
      const link: Link = new Link(new Socket(url), {
        hello,
        handshakeMs,
        onReady: () => this.#ready(link),
        onEvent: (frame) => this.#deliver(frame),
        onLost: (error, opened) => void this.#lost(link, { error, opened }),
      });
      this.#link = link;
    } catch (error) {
      this.#giveUp(error as ClientError);
    }
  }

  #ready(link: Link): void {
    if (this.#link !== link) return;
    this.#failures = 0;
    this.#requests = new RequestQueue(link, {
      waits: this.#options.reconnect,
      asksAgain: (error) => this.#hasRoomSoon(error),
    });
    this.#set({ status: "open" });
    for (const subscription of this.#subscriptions.keys()) this.#request(subscription);
  }

  #request(subscription: Subscription): void {
    this.#requests?.add({
      method: subscription.method,
      params: () => (this.#subscriptions.has(subscription) ? subscription.params() : undefined),
      onAnswer: (payload) => {
        const { streamId } = payload as { streamId?: string };
        this.#lapsed.delete(subscription);
        if (this.#subscriptions.has(subscription)) this.#subscriptions.set(subscription, streamId);
        else if (streamId !== undefined) this.#stop(streamId);
      },
      onRefused: (error) => {
        const first = this.#lapsed.get(subscription);
        if (error.code === "UNAUTHORIZED" && first === undefined) {
          this.#lapsed.set(subscription, error);
          // Once more: a connection whose credentials have lapsed ends first, and the next one begins with others.
          return this.#request(subscription);
        }
        const isAskedOnce = first !== undefined && error.code === "CLIENT_STREAM_LOST";
        if (this.#drop(subscription)) subscription.onError(isAskedOnce ? first : error);
      },
    });
  }

  #stop(streamId: string): void {
    this.#requests?.add({ method: "stopStream", params: () => ({ streamId }) });
  }

  /** Not of a client that follows more streams than a connection may have. */
  #hasRoomSoon({ code, details }: ClientError): boolean {
    if (code === "RATE_LIMITED") return true;
    const most = details?.["maxStreams"];
    return code === "CAPACITY_EXCEEDED" && !(typeof most === "number" && this.#subscriptions.size > most);
  }

  #deliver(frame: EventFrame): void {
    const { streamId, error } = (frame.payload ?? {}) as { streamId?: string; error?: unknown };
    if (streamId === undefined) return;
    for (const [subscription, id] of this.#subscriptions) {
      if (id !== streamId) continue;
      if (frame.event !== "stream.error") return subscription.onEvent(frame);
      this.#drop(subscription);
      return subscription.onError(new ClientError(receivedError(error) ?? UNREADABLE));
    }
  }

  async #lost(link: Link, { error, opened }: { error: ClientError; opened: boolean }): Promise<void> {
    if (this.#link !== link) return;
    const wasLetIn = this.#requests !== undefined;
    this.#link = undefined;
    this.#requests?.close();
    this.#requests = undefined;
    for (const subscription of this.#subscriptions.keys()) this.#subscriptions.set(subscription, undefined);
    // A client that was let in comes back with the token as it is by then, and is refused for good if that is no better.
    if (FINAL.has(error.code) && !(wasLetIn && error.code === "UNAUTHORIZED")) return this.#giveUp(error);
    this.#failures += 1;
    const delay = backOffMs(this.#failures, Math.random(), this.#options.reconnect);
    this.#set({ status: "offline", error, retryAtMs: Date.now() + delay });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#open(), delay);
    if (opened) return;
    const reason: unknown = await this.#options.probe().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (ClientError.is(reason) && FINAL.has(reason.code) && this.#state.status === "offline") {
      this.#giveUp(reason);
    }
  }

  #giveUp(error: ClientError): void {
    clearTimeout(this.#retry);
    const all = [...this.#subscriptions.keys()];
    this.#subscriptions.clear();
    this.#set({ status: "refused", error });
    for (const subscription of all) subscription.onError(error);
  }

  #set(state: ConnectionState): void {
    if (state.status === this.#state.status && state.status !== "offline") return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
