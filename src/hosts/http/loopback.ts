import type { MiddlewareHandler } from "hono";
import { ServiceError } from "../../errors/service-error.js";

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]", "::1", "::ffff:127.0.0.1"]);

/** Whether only this machine reaches what is bound to the name. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return LOOPBACK_NAMES.has(name) || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/**
 * Refuses what a page from elsewhere may have sent through a browser on this
 * machine: by its own origin, or by a name of its own that resolves to here.
 */
export const requireLoopback: MiddlewareHandler = async (c, next) => {
  const host = c.req.header("host");
  if (host !== undefined && !isLoopbackHost(hostnameOf(`http://${host}`))) {
    throw refusal("Host", host);
  }
  const origin = c.req.header("origin");
  if (origin !== undefined && !isLoopbackHost(hostnameOf(origin))) throw refusal("Origin", origin);
  await next();
};

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function refusal(header: string, value: string): ServiceError {
  return new ServiceError(
    "FORBIDDEN",
    `Without a token this host answers requests of this machine only; ${header} is ${JSON.stringify(value.slice(0, 80))}.`,
    { details: { header: header.toLowerCase() } },
  );
}
