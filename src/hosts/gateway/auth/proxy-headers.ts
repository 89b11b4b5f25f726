import type { Caller } from "../caller.js";
import type { CheckedProxyAuth } from "./check-auth.js";
import { refuseReservedName, refuseToken } from "./refuse-token.js";
import { scopesIn } from "./scope-list.js";

/** Who the proxy says that a request is from. A request that does not name a user did not come through it. */
export function proxyHeaders(config: CheckedProxyAuth): (headers: Headers) => Caller {
  const { trustedHeaders, defaultRole, defaultScopes } = config;
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
