import { checkOptions, readOption, refuseOption } from "../../../options/check-options.js";
import { parseNetwork } from "./proxy-peers.js";
import * as rules from "../../../options/option-rules.js";
import type {
  GatewayAuthConfig,
  GatewayJwtAuth,
  GatewayTokenAuth,
  GatewayTokenGrant,
  GatewayTrustedProxyAuth,
} from "../gateway-options.js";
import { originList } from "../../http/origins.js";
import { isReservedName, RESERVED_NAMES } from "../../../model/user-names.js";

const userName = rules.checked<string>(
  `a name that is not empty, and not the host's own (${RESERVED_NAMES})`,
  (value) => rules.name.fits(value) && !isReservedName(value as string),
);

/** HS256 asks for a key as long as its digest: one that is shorter can be guessed from a single token. */
const STRONG_SECRET_BYTES = 32;

const MODE = rules.required(rules.oneOf(["token", "jwt", "trusted-proxy"]));

const TOKEN_RULES = {
  mode: rules.required(rules.oneOf(["token"])),
  tokens: rules.required(rules.record),
  allowedOrigins: rules.withDefault(originList, []),
} satisfies rules.OptionRules<GatewayTokenAuth>;

const GRANT_RULES = {
  role: rules.required(rules.name),
  scopes: rules.required(rules.texts),
  userId: userName,
  tokenId: rules.name,
  issuedAtMs: rules.milliseconds,
  expiresAtMs: rules.milliseconds,
  revokedAtMs: rules.milliseconds,
} satisfies rules.OptionRules<GatewayTokenGrant>;

const JWT_RULES = {
  mode: rules.required(rules.oneOf(["jwt"])),
  issuer: rules.required(rules.name),
  audience: rules.required(
    rules.checked("a string that is not empty, or a list of such", (value) => {
      const names = Array.isArray(value) ? value : [value];
      return names.length > 0 && names.every(rules.name.fits);
    }),
  ),
  secret: rules.secret(rules.required(rules.name)),
  scopesClaim: rules.withDefault(rules.name, "scope"),
  roleClaim: rules.withDefault(rules.name, "role"),
  userClaim: rules.withDefault(rules.name, "sub"),
  defaultRole: rules.withDefault(rules.name, "operator"),
  defaultScopes: rules.withDefault(rules.texts, []),
  clockSkewSeconds: rules.withDefault(rules.checked("a number of seconds", Number.isFinite), 60),
  allowedOrigins: rules.withDefault(originList, []),
} satisfies rules.OptionRules<GatewayJwtAuth>;

const PROXY_RULES = {
  mode: rules.required(rules.oneOf(["trusted-proxy"])),
  trustedHeaders: rules.withDefault(
    rules.checked(
      "the names of one to three headers: user, scopes, role",
      (value) =>
        Array.isArray(value) &&
        value.length >= 1 &&
        value.length <= 3 &&
        new Set(value.map(String)).size === value.length &&
        value.every(isHeaderName),
    ),
    ["x-user-id", "x-user-scopes", "x-user-role"],
  ),
  defaultRole: rules.withDefault(rules.name, "operator"),
  defaultScopes: rules.withDefault(rules.texts, ["*"]),
  trustedProxies: rules.withDefault(
    rules.checked<string[]>(
      "a list of addresses and networks, such as 10.0.0.0/8",
      (value) => Array.isArray(value) && value.every((text) => parseNetwork(text) !== undefined),
    ),
    [],
  ),
  proxySecret: rules.secret(rules.name),
  allowedOrigins: rules.withDefault(originList, []),
} satisfies rules.OptionRules<GatewayTrustedProxyAuth>;

export type CheckedAuth = CheckedTokenAuth | CheckedJwtAuth | CheckedProxyAuth;
export type CheckedTokenAuth = rules.Checked<GatewayTokenAuth, typeof TOKEN_RULES>;
export type CheckedJwtAuth = rules.Checked<GatewayJwtAuth, typeof JWT_RULES>;
export type CheckedProxyAuth = rules.Checked<GatewayTrustedProxyAuth, typeof PROXY_RULES>;

/** Stands for a token. */
const HIDDEN = "one with spaces";

/** @throws INVALID_INPUT; no message shows a token or a secret */
export function checkAuth(auth: GatewayAuthConfig): CheckedAuth {
  const mode = readOption({ at: "auth.mode" }, MODE, () => auth.mode);
  if (mode === "token") {
    const checked = checkOptions("Gateway (auth)", auth as GatewayTokenAuth, TOKEN_RULES);
    for (const [token, grant] of Object.entries(checked.tokens)) {
      if (token.trim() === "" || /\s/.test(token)) {
        refuseOption("tokens", "tokens without spaces that are not empty", token.trim() === "" ? "" : HIDDEN);
      }
      checkOptions("a grant of tokens", grant, GRANT_RULES);
    }
    return checked;
  }
  if (mode === "jwt") {
    const checked = checkOptions("Gateway (auth)", auth as GatewayJwtAuth, JWT_RULES);
    if (Buffer.byteLength(checked.secret) < STRONG_SECRET_BYTES) warnOfWeakSecret();
    return checked;
  }
  const checked = checkOptions("Gateway (auth)", auth as GatewayTrustedProxyAuth, PROXY_RULES);
  if (checked.trustedProxies.length === 0 && checked.proxySecret === undefined) warnOfAnyPeer();
  return checked;
}

function warnOfAnyPeer(): void {
  process.emitWarning(
    "The gateway believes the headers of a trusted proxy from any peer: any client that reaches its port, and a page whose name resolves to it (DNS rebinding), can claim to be any user. Give auth.trustedProxies, the proxy's addresses, or auth.proxySecret, a header that it adds.",
  );
}

function warnOfWeakSecret(): void {
  process.emitWarning(
    `The secret of the gateway's JWT auth is shorter than ${STRONG_SECRET_BYTES} bytes, and can be guessed from any token. Use one such as \`openssl rand -base64 48\` makes.`,
  );
}

function isHeaderName(value: unknown): boolean {
  return typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
}
