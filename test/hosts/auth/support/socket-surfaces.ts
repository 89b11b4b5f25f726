import { WebSocket } from "ws";
import type { Credentials } from "./credentials.js";
import type { Outcome, Surface } from "./surface.js";

const HELLO = { minProtocol: 1, maxProtocol: 1, client: { id: "auth", version: "1" } };

export interface SocketSurfaceOptions {
  statuses: Surface["statuses"];
  /** Whether the token goes into `connect` rather than into a header of the upgrade. */
  inConnect: boolean;
  /** Asked once the client has connected; 403 and 200 are what it is answered with. */
  method?: { name: string; params: unknown };
}

/** A WebSocket of a gateway: its upgrade, `connect`, and one request. */
export function socketSurface(name: string, url: string, options: SocketSurfaceOptions): Surface {
  return {
    name,
    statuses: options.statuses,
    attempt: (credentials) => attempt(url, { ...options, credentials }),
  };
}

function attempt(
  url: string,
  { inConnect, method, credentials }: SocketSurfaceOptions & { credentials: Credentials },
): Promise<Outcome> {
  const { authorization, ...others } = credentials.headers;
  const headers = { ...others, ...(authorization !== undefined && !inConnect && { authorization }) };
  const auth = inConnect && credentials.token !== undefined ? { auth: { token: credentials.token } } : {};
  const socket = new WebSocket(url.replace("http", "ws"), { headers });
  let received = "";
  const ask = (id: string, of: { name: string; params: unknown }) =>
    socket.send(JSON.stringify({ type: "req", id, method: of.name, params: of.params }));
  return new Promise((resolve) => {
    const end = (status: number) => {
      resolve({ status, received });
      socket.terminate();
    };
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_sent, response) => {
      response.resume();
      end(response.statusCode ?? 0);
    });
    socket.on("open", () => ask("connect", { name: "connect", params: { ...HELLO, ...auth } }));
    socket.on("close", (code) => end(code));
    socket.on("message", (data) => {
      received += String(data);
      const { type, id, ok, error } = JSON.parse(String(data));
      if (type !== "res" || (id === "connect" && !ok)) return;
      if (id === "connect" && method !== undefined) ask("method", method);
      else end(ok ? 200 : error.code === "FORBIDDEN" ? 403 : 400);
    });
  });
}
