import { systemClock } from "../util/clock.js";
import { ClientError, receivedError, UNREADABLE } from "./client-error.js";
import type { SocketLike } from "./socket.js";

/** A notice of the gateway that is no answer. */
export interface EventFrame {
  event: string;
  payload: unknown;
  seq?: number;
}

export interface LinkOptions {
  /** Of `connect`. */
  hello(): Promise<Record<string, unknown>>;
  /** Milliseconds that opening and the handshake may take. */
  handshakeMs: number;
  onReady(): void;
  onEvent(frame: EventFrame): void;
  /** Once, for whatever ends it. `opened`: the gateway had answered at all. */
  onLost(error: ClientError, opened: boolean): void;
}

interface Waiting {
  resolve(payload: unknown): void;
  reject(error: ClientError): void;
}

/** Reasons to close that another try cannot change. */
const CLOSE_CODES: Readonly<Record<number, [code: string, message: string]>> = {
  4400: ["PROTOCOL_MISMATCH", "The gateway speaks no version of the protocol that this client knows."],
  4401: ["UNAUTHORIZED", "The gateway does not accept the token."],
};

/** Signs of life may be late by as much as they are apart. */
const SILENCES = 2.5;

/**
 * One WebSocket from its opening to its end. Owns the handshake, the numbering of requests and the watch over
 * silence; who reconnects, and what is subscribed to, is the connection's.
 */
export class Link {
  readonly #socket: SocketLike;
  readonly #options: LinkOptions;
  readonly #waiting = new Map<string, Waiting>();
  #requests = 0;
  #opened = false;
  #ended = false;
  #stopWatch = () => {};
  #heartbeatMs = 0;

  constructor(socket: SocketLike, options: LinkOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#watch(options.handshakeMs);
    socket.addEventListener("open", () => void this.#greet());
    socket.addEventListener("message", ({ data }: { data: unknown }) => this.#receive(data));
    socket.addEventListener("error", () => this.#end(lost("The connection failed.")));
    socket.addEventListener("close", ({ code }: { code: number }) => {
      const [known, message] = CLOSE_CODES[code] ?? [];
      this.#end(
        known !== undefined && message !== undefined
          ? new ClientError({ code: known, message })
          : lost(`The gateway closed the connection (${code}).`),
      );
    });
  }

  /**
   * @param onAnswer called with the answer before any later frame is read, as no promise can be
   * @throws what the gateway answers; CLIENT_CONNECTION_FAILED when the connection ends before
   */
  request(method: string, params: unknown, onAnswer?: (payload: unknown) => void): Promise<unknown> {
    return new Promise((answered, reject) => {
      const resolve = (payload: unknown) => {
        onAnswer?.(payload);
        answered(payload);
      };
      if (this.#ended) return reject(lost("The connection has ended."));
      this.#requests += 1;
      const id = String(this.#requests);
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ type: "req", id, method, params }));
    });
  }

  close(): void {
    this.#end(lost("The connection was closed."));
  }

  async #greet(): Promise<void> {
    try {
      const params = await this.#options.hello();
      const welcome = (await this.request("connect", params)) as { policy?: { heartbeatMs?: number } };
      this.#heartbeatMs = welcome.policy?.heartbeatMs ?? 15_000;
      this.#watch(this.#heartbeatMs * SILENCES);
      if (!this.#ended) this.#options.onReady();
    } catch (error) {
      this.#end(ClientError.is(error) ? error : lost("The credentials could not be had.", error));
    }
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    this.#opened = true;
    if (this.#heartbeatMs > 0) this.#watch(this.#heartbeatMs * SILENCES);
    const frame = readFrame(data);
    if (frame?.type === "event") this.#options.onEvent(frame as unknown as EventFrame);
    if (frame?.type !== "res") return;
    const waiting = this.#waiting.get(String(frame.id));
    this.#waiting.delete(String(frame.id));
    if (frame.ok === true) return waiting?.resolve(frame.payload);
    waiting?.reject(new ClientError(receivedError(frame.error) ?? UNREADABLE));
  }

  #watch(limitMs: number): void {
    this.#stopWatch();
    if (this.#ended) return;
    this.#stopWatch = systemClock.setDelay(limitMs, () => this.#end(lost("The gateway has gone silent.")));
  }

  #end(error: ClientError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopWatch();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#socket.close();
    this.#options.onLost(error, this.#opened);
  }
}

function lost(message: string, cause?: unknown): ClientError {
  return new ClientError(
    { code: "CLIENT_CONNECTION_FAILED", message },
    cause === undefined ? undefined : { cause },
  );
}

function readFrame(data: unknown): Record<string, unknown> | undefined {
  try {
    const frame: unknown = JSON.parse(String(data));
    return typeof frame === "object" && frame !== null ? (frame as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
