import { backOffMs, type ReconnectOptions } from "./back-off.js";
import { ClientError } from "./client-error.js";
import type { Link } from "./link.js";

/** A request over the WebSocket that may have to wait. */
export interface QueuedRequest {
  method: string;
  /** Of the request once it is sent; undefined when it is not wanted any more. */
  params(): Record<string, unknown> | undefined;
  /** Before any later frame is read. */
  onAnswer?(payload: unknown): void;
  /** Not for the loss of the connection, which its owner is notified of. */
  onRefused?(error: ClientError): void;
}

export interface RequestQueueOptions {
  waits: ReconnectOptions;
  /** Whether what was refused is asked for once more. */
  asksAgain(error: ClientError): boolean;
}

/** Half of what a gateway takes of a connection. */
const MOST_UNDER_WAY = 32;

/**
 * The requests over one connection: few at a time and the others in order, and once more after a while where
 * the gateway has no room for one.
 */
export class RequestQueue {
  readonly #link: Link;
  readonly #options: RequestQueueOptions;
  #waiting: QueuedRequest[] = [];
  #refused: QueuedRequest[] = [];
  #refusals = 0;
  #underWay = 0;
  #isClosed = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link, options: RequestQueueOptions) {
    this.#link = link;
    this.#options = options;
  }

  add(request: QueuedRequest): void {
    this.#waiting.push(request);
    this.#send();
  }

  /** With the connection: nothing is sent or reported any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
  }

  #send(): void {
    while (!this.#isClosed && this.#underWay < MOST_UNDER_WAY) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#underWay += 1;
      void this.#ask(next).finally(() => {
        this.#underWay -= 1;
        this.#send();
      });
    }
  }

  async #ask(request: QueuedRequest): Promise<void> {
    try {
      const params = request.params();
      if (params === undefined) return;
      await this.#link.request(request.method, params, (payload) => request.onAnswer?.(payload));
      this.#refusals = 0;
    } catch (error) {
      if (this.#isClosed || ClientError.is(error, "CLIENT_CONNECTION_FAILED")) return;
      if (ClientError.is(error) && this.#options.asksAgain(error)) this.#askLater(request);
      else request.onRefused?.(error as ClientError);
    }
  }

  #askLater(request: QueuedRequest): void {
    this.#refused.push(request);
    if (this.#refused.length > 1) return;
    this.#refusals += 1;
    this.#again = setTimeout(
      () => {
        this.#waiting.push(...this.#refused);
        this.#refused = [];
        this.#send();
      },
      backOffMs(this.#refusals, Math.random(), this.#options.waits),
    );
  }
}
