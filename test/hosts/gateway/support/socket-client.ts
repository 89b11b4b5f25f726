import { once } from "node:events";
import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";

export interface Frame {
  type: "res" | "event";
  id?: string;
  ok?: boolean;
  payload: Record<string, unknown>;
  error?: { code: string; message: string; details?: Record<string, unknown>; requiredScope?: string };
  event?: string;
  seq?: number;
}

export interface Closed {
  code: number;
  reason: string;
}

const HELLO = { minProtocol: 1, maxProtocol: 1, client: { id: "test", version: "1" } };

/** A client of a gateway's WebSocket; keeps every frame that it gets. */
export class SocketClient {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<Closed>;
  #ids = 0;
  #hear: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
    socket.on("message", (data) => {
      this.frames.push(JSON.parse(String(data)));
      this.#wake();
    });
    socket.on("error", () => undefined);
  }

  /** Resolves once the WebSocket is open; nothing has been sent. */
  static async open(url: string, options: ClientOptions = {}): Promise<SocketClient> {
    const socket = new WebSocket(url.replace(/^http/, "ws"), options);
    const client = new SocketClient(socket);
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    return client;
  }

  /** One that has connected. */
  static async connect(url: string, { token, ...options }: ClientOptions & { token?: string } = {}) {
    const client = await SocketClient.open(url, options);
    await client.result("connect", { ...HELLO, ...(token !== undefined && { auth: { token } }) });
    return client;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The response, whatever it says. */
  async request(method: string, params?: unknown, id = `r${this.#ids++}`): Promise<Frame> {
    this.send({ type: "req", id, method, ...(params !== undefined && { params }) });
    return this.next((frame) => frame.type === "res" && frame.id === id);
  }

  /** The result of a method that succeeds. */
  async result<T = Record<string, unknown>>(method: string, params?: unknown): Promise<T> {
    const { ok, payload, error } = await this.request(method, params);
    if (ok !== true) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return payload as T;
  }

  connect(params: Record<string, unknown> = {}): Promise<Frame> {
    return this.request("connect", { ...HELLO, ...params });
  }

  /** The first frame, of those that have come and will come, that fits. */
  async next(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error("The connection was closed.");
      await new Promise<void>((resolve) => this.#hear.push(resolve));
    }
  }

  /** Frames of a stream that have come. */
  of(streamId: unknown): Frame[] {
    return this.frames.filter(({ type, payload }) => type === "event" && payload["streamId"] === streamId);
  }

  /** Those of a stream, once it is over. */
  async all(streamId: unknown): Promise<Frame[]> {
    const isLast = ({ event = "", payload }: Frame) =>
      payload?.["streamId"] === streamId && ["run.end", "stream.end", "stream.error"].includes(event);
    await this.next(isLast);
    return this.of(streamId);
  }

  #wake(): void {
    const hearers = this.#hear;
    this.#hear = [];
    for (const hear of hearers) hear();
  }
}
