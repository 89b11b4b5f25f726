import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { ServiceError } from "../../errors/service-error.js";

/** Header that carries the token on its own. */
export const KEY_HEADER = "x-service-key";

/**
 * Lets requests pass that carry this token, as a bearer token or in `x-service-key`.
 */
export function requireToken(token: string): MiddlewareHandler {
  const expected = digest(token);
  return async (c, next) => {
    const given = tokenOf(c);
    // Digests have one length; comparing them takes equally long whatever was sent.
    if (given === undefined || !timingSafeEqual(digest(given), expected)) {
      throw new ServiceError(
        "UNAUTHORIZED",
        given === undefined ? "The request carries no token." : "The token is not the one of this host.",
      );
    }
    await next();
  };
}

function tokenOf(c: Context): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "");
  return bearer?.[1] ?? c.req.header(KEY_HEADER);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
