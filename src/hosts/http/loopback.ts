import type { MiddlewareHandler } from "hono";
import { ServiceError } from "../../errors/service-error.js";
import { shorten } from "../../util/bounded-text.js";

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]", "::1", "::ffff:127.0.0.1"]);

/** Whether only this machine reaches what is bound to the name. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return LOOPBACK_NAMES.has(name) || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/**
 * Whether a host without credentials answers a request. A page from elsewhere may have sent it through a browser of
 * this machine: by a name of its own that resolves to here, or from any other origin, be it another port of this
 * machine. Programs send no `Origin`.
 * @param allowedOrigins other pages that are let in
 */
export function isOfOwnPage(
  { host, origin }: { host: string | null; origin: string | null },
  allowedOrigins: readonly string[] = [],
): boolean {
  if (host !== null && !isLoopbackHost(hostnameOf(host))) return false;
  if (origin === null || allowedOrigins.includes(origin)) return true;
  return host !== null && origin.toLowerCase() === `http://${host.toLowerCase()}`;
}

/** Refuses, without a token, what {@link isOfOwnPage} does not let in. */
export const requireOwnPage: MiddlewareHandler = async (c, next) => {
  const page = { host: c.req.header("host") ?? null, origin: c.req.header("origin") ?? null };
  if (!isOfOwnPage(page)) throw foreignPage(page);
  await next();
};

/** @returns FORBIDDEN that names the header which is another's */
export function foreignPage({ host, origin }: { host: string | null; origin: string | null }): ServiceError {
  const isHost = host !== null && !isLoopbackHost(hostnameOf(host));
  const [header, value] = isHost ? ["Host", host] : ["Origin", origin ?? ""];
  return new ServiceError(
    "FORBIDDEN",
    `Without credentials this host answers programs of this machine and its own pages only; ${header} is ${JSON.stringify(shorten(value, 80))}.`,
    { details: { header: header.toLowerCase(), ...(origin !== null && { origin }) } },
  );
}

/** The name in a Host header; empty for one that is none, such as one with a user's name in front. */
function hostnameOf(host: string): string {
  const url = `http://${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return "";
  return new URL(url).hostname;
}
