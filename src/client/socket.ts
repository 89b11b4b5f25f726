/** The part of a WebSocket that the client uses: those of browsers, of Node and of `ws` fit. */
export interface SocketLike {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: each implementation has event types of its own.
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: any) => void): void;
}

/** As `WebSocket`. */
export type SocketConstructor = new (url: string) => SocketLike;

/** Finds the implementation to use, when the first stream is opened. @throws CLIENT_WEBSOCKET_MISSING */
export type FindSocket = () => SocketConstructor | Promise<SocketConstructor>;
