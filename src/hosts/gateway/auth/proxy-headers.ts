import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller } from "../caller.js";
import type { CheckedProxyAuth } from "./check-auth.js";
import { peersOf } from "./proxy-peers.js";
import { refuseReservedName, refuseToken } from "./refuse-token.js";
import { scopesIn } from "./scope-list.js";

/** The header by which the proxy proves itself. */
export const PROXY_SECRET_HEADER = "x-proxy-secret";

/** A request, and the address of the connection that it came by. */
interface ProxiedRequest {
  headers: Headers;
  peer?: string | undefined;
}

/** Who the proxy says that a request is from. A request that does not name a user did not come through it. */
export function proxyHeaders(config: CheckedProxyAuth): (request: ProxiedRequest) => Caller {
  const { trustedHeaders, trustedProxies, defaultRole, defaultScopes } = config;
  const [userHeader = "", scopesHeader, roleHeader] = trustedHeaders;
  const isProxy = trustedProxies.length === 0 ? () => true : peersOf(trustedProxies);
  const hasSecret = secretCheck(config.proxySecret);
  return ({ headers, peer }) => {
    if (!isProxy(peer)) refuseToken("The request comes from an address that is no trusted proxy.", "invalid");
    if (!hasSecret(headers)) refuseToken("The request lacks the secret of the proxy.", "invalid");
    const userId = headers.get(userHeader)?.trim() ?? "";
    if (userId === "") refuseToken(`The request has no header ${userHeader} of the proxy.`, "missing");
    refuseReservedName(userId);
    const scopes = scopesHeader === undefined ? null : headers.get(scopesHeader);
    const role = roleHeader === undefined ? null : headers.get(roleHeader);
    return {
      role: role?.trim() || defaultRole,
      scopes: scopes === null ? [...defaultScopes] : scopesIn(scopes),
      userId,
      tokenId: null,
      triggeredBy: userId,
      isAuthenticated: true,
    };
  };
}

/** Digests are of one length, and comparing them takes the same time whatever was sent. */
function secretCheck(secret: string | undefined): (headers: Headers) => boolean {
  if (secret === undefined) return () => true;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(secret);
  return (headers) => timingSafeEqual(digest(headers.get(PROXY_SECRET_HEADER) ?? ""), expected);
}
