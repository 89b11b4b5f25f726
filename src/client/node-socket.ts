import type { SocketConstructor } from "./socket.js";

/** Node's own WebSocket, which Node 20 has behind a flag only, or that of `ws`. */
export async function nodeSocket(): Promise<SocketConstructor> {
  const { WebSocket } = globalThis as { WebSocket?: SocketConstructor };
  return WebSocket ?? (await import("ws")).WebSocket;
}
