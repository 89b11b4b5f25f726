import { ClientError } from "./client-error.js";

/** Where a gateway is reached. */
export interface GatewayAddress {
  /** Base of its HTTP routes, without a slash at the end. */
  http: string;
  /** Address of its WebSocket. */
  socket: string;
}

/**
 * @param url `http:` or `https:`, with the path under which a proxy serves the gateway, if any
 * @throws INVALID_INPUT for anything else: credentials in an address end up in logs
 */
export function gatewayAddress(url: string | URL): GatewayAddress {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw invalid(`url must be an http or https address, such as http://127.0.0.1:7331.`);
  }
  if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "") {
    throw invalid("url must hold neither credentials nor a query: pass the token as `token`.");
  }
  const path = parsed.pathname.replace(/\/+$/, "");
  const socketProtocol = parsed.protocol === "https:" ? "wss:" : "ws:";
  return {
    http: `${parsed.protocol}//${parsed.host}${path}`,
    socket: `${socketProtocol}//${parsed.host}${path}/`,
  };
}

function invalid(message: string): ClientError {
  return new ClientError({ code: "INVALID_INPUT", message });
}
