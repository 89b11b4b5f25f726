import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller } from "../caller.js";
import type { GatewayTokenAuth, GatewayTokenGrant } from "../gateway-options.js";
import { refuseToken } from "./refuse-token.js";

/** The tokens of a gateway. Kept are their digests, which have one length. */
export function tokenGrants({ tokens }: GatewayTokenAuth, now: () => number): (token: string) => Caller {
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
