import type { Caller } from "../caller.js";
import type { GatewayTrustedProxyAuth } from "../gateway-options.js";
import { refuseReservedName, refuseToken } from "./refuse-token.js";
import { scopesIn } from "./scope-list.js";

const HEADERS = ["x-user-id", "x-user-scopes", "x-user-role"];

/** Who the proxy says that a request is from. A request that does not name a user did not come through it. */
export function proxyHeaders(config: GatewayTrustedProxyAuth): (headers: Headers) => Caller {
  const { trustedHeaders = HEADERS, defaultRole = "operator", defaultScopes = ["*"] } = config;
  const [userHeader = "", scopesHeader, roleHeader] = trustedHeaders;
  return (headers) => {
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
