import { createHash, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../../../errors/service-error.js";
import { shorten } from "../../../util/bounded-text.js";
import { KEY_HEADER } from "../../http/bearer-token.js";
import { foreignPage, isOfOwnPage } from "../../http/loopback.js";
import { ANY_CALLER, type Caller } from "../caller.js";
import type { GatewayTokenAuth, GatewayTokenGrant } from "../gateway-options.js";
import type { CheckedAuth } from "./check-auth.js";
import { jwtClaims } from "./jwt-claims.js";
import { proxyHeaders } from "./proxy-headers.js";
import { refuseToken } from "./refuse-token.js";

export interface PresentedCredentials {
  headers: Headers;
  /** Of a WebSocket's `connect`; counts instead of the headers' token. */
  token?: string;
  /** Address of the connection that the request came by; absent where there is none. */
  peer?: string | undefined;
}

/** Who is let in, the same on every surface. */
export interface Authenticator {
  /** False of a gateway without `auth`. */
  readonly requiresToken: boolean;
  /** @throws UNAUTHORIZED */
  identify(request: PresentedCredentials): Promise<Caller>;
  /**
   * Whether a page of this origin may talk to the gateway, and, without `auth`, whether the request is for
   * this machine at all: a foreign name may resolve to it.
   */
  originAllowed(headers: Headers): boolean;
}

export interface AuthenticatorOptions {
  /** Without `auth`: only requests for this machine, of programs and of the gateway's own pages. @default true */
  guardsLoopback?: boolean;
  /** Without `auth`: origins of other pages that are let in. @default none */
  allowedOrigins?: readonly string[];
}

export function createAuthenticator(
  auth: CheckedAuth | undefined,
  now: () => number,
  { guardsLoopback = true, allowedOrigins = [] }: AuthenticatorOptions = {},
): Authenticator {
  if (auth === undefined) {
    return {
      requiresToken: false,
      identify: async () => ANY_CALLER,
      originAllowed: (headers) => !guardsLoopback || isOfOwnPage(pageOf(headers), allowedOrigins),
    };
  }
  const allowed = new Set(auth.allowedOrigins);
  return {
    requiresToken: true,
    identify: identifierOf(auth, now),
    originAllowed(headers) {
      const origin = headers.get("origin");
      return allowed.size === 0 || origin === null || allowed.has(origin);
    },
  };
}

/** @throws FORBIDDEN */
export function refuseOrigin(authenticator: Authenticator, headers: Headers): void {
  if (authenticator.originAllowed(headers)) return;
  if (!authenticator.requiresToken) throw foreignPage(pageOf(headers));
  const origin = headers.get("origin");
  throw new ServiceError(
    "FORBIDDEN",
    `Pages of this origin are not let in: Origin is ${JSON.stringify(shorten(origin ?? "", 80))}.`,
    { details: { origin } },
  );
}

function identifierOf(auth: CheckedAuth, now: () => number): Authenticator["identify"] {
  if (auth.mode === "trusted-proxy") {
    const readHeaders = proxyHeaders(auth);
    return async (request) => readHeaders(request);
  }
  const lookUp = auth.mode === "token" ? tokenGrants(auth, now) : jwtClaims(auth, now);
  return async ({ headers, token = tokenIn(headers) }) => {
    if (token === undefined || token === "") refuseToken("The request carries no token.", "missing");
    return lookUp(token);
  };
}

/** Of `Authorization: Bearer` or `x-service-key`. */
function tokenIn(headers: Headers): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "");
  return bearer?.[1] ?? headers.get(KEY_HEADER) ?? undefined;
}

function pageOf(headers: Headers): { host: string | null; origin: string | null } {
  return { host: headers.get("host"), origin: headers.get("origin") };
}

/** The tokens of a gateway. Kept are their digests, which have one length. */
function tokenGrants({ tokens }: GatewayTokenAuth, now: () => number): (token: string) => Caller {
  const known = Object.entries(tokens).map(([token, grant]) => ({ digest: digest(token), grant }));
  return (token) => {
    const given = digest(token);
    let found: GatewayTokenGrant | undefined;
    // All of them: how long it takes says nothing about which one is alike.
    for (const { digest: expected, grant } of known) {
      if (timingSafeEqual(given, expected)) found = grant;
    }
    if (found === undefined) refuseToken("The token is none of this gateway's.", "unknown");
    const nowMs = now();
    const { role, scopes, userId, tokenId, issuedAtMs, expiresAtMs, revokedAtMs } = found;
    if (revokedAtMs !== undefined) refuseToken("The token was revoked.", "revoked");
    if (expiresAtMs !== undefined && expiresAtMs <= nowMs) refuseToken("The token has expired.", "expired");
    if (issuedAtMs !== undefined && issuedAtMs > nowMs) refuseToken("The token is not valid yet.", "early");
    const id = tokenId ?? given.toString("hex").slice(0, 16);
    return {
      role,
      scopes: [...scopes],
      userId: userId ?? null,
      tokenId: id,
      triggeredBy: userId ?? `token:${id}`,
      isAuthenticated: true,
    };
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
