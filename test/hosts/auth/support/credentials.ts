import { SignJWT } from "jose";
import type { GatewayAuthConfig } from "../../../../src/hosts/gateway/index.js";

/** How a request may come. */
export const CASES = ["none", "wrong", "expired", "revoked", "wrong scope", "wrong origin", "right"] as const;
export type Case = (typeof CASES)[number];

export const ORIGIN = "https://app.example.com";

/** A grant that no method of the suite is content with. */
const OTHER_SCOPE = "scope:of-nothing";

/** What one request of this case is sent with. */
export interface Credentials {
  headers: Record<string, string>;
  /** For what takes a token elsewhere than in a header. */
  token?: string;
}

/** A way to tell who calls, and the credentials of each case; without those that it does not have. */
export interface Kit {
  name: string;
  auth: GatewayAuthConfig;
  credentials: Partial<Record<Case, Credentials>>;
}

const bearer = (token: string): Credentials => ({ token, headers: { authorization: `Bearer ${token}` } });
const from = (origin: string, { token, headers }: Credentials): Credentials => ({
  ...(token !== undefined && { token }),
  headers: { ...headers, origin },
});

const HOUR_MS = 3_600_000;

export function tokenKit(): Kit {
  const now = Date.now();
  const grant = { role: "operator", scopes: ["*"], userId: "ada" };
  return {
    name: "tokens",
    auth: {
      mode: "token",
      allowedOrigins: [ORIGIN],
      tokens: {
        right: grant,
        expired: { ...grant, expiresAtMs: now - 1 },
        revoked: { ...grant, revokedAtMs: now + HOUR_MS },
        narrow: { ...grant, scopes: [OTHER_SCOPE] },
      },
    },
    credentials: {
      none: { headers: {} },
      wrong: bearer("rigth"),
      expired: bearer("expired"),
      revoked: bearer("revoked"),
      "wrong scope": bearer("narrow"),
      "wrong origin": from("https://evil.example.com", bearer("right")),
      right: bearer("right"),
    },
  };
}

export async function jwtKit(): Promise<Kit> {
  const secret = "a secret that is long enough for HS256";
  const now = Math.floor(Date.now() / 1_000);
  const signed = (claims: { scope?: string; exp?: number }, key = secret): Promise<string> =>
    new SignJWT({ scope: "*", sub: "ada", iss: "the issuer", aud: "treadle", exp: now + 3_600, ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(key));
  const right = await signed({});
  return {
    name: "JSON Web Tokens",
    auth: { mode: "jwt", issuer: "the issuer", audience: "treadle", secret, allowedOrigins: [ORIGIN] },
    credentials: {
      none: { headers: {} },
      wrong: bearer(await signed({}, "another secret that is long enough")),
      expired: bearer(await signed({ exp: now - 3_600 })),
      "wrong scope": bearer(await signed({ scope: OTHER_SCOPE })),
      "wrong origin": from("https://evil.example.com", bearer(right)),
      right: bearer(right),
    },
  };
}

export function proxyKit(): Kit {
  const user = { "x-user-id": "ada" };
  return {
    name: "a trusted proxy",
    auth: { mode: "trusted-proxy", allowedOrigins: [ORIGIN] },
    credentials: {
      none: { headers: {} },
      wrong: { headers: { "x-user-id": " ", "x-user-scopes": "*" } },
      "wrong scope": { headers: { ...user, "x-user-scopes": OTHER_SCOPE } },
      "wrong origin": { headers: { ...user, origin: "https://evil.example.com" } },
      right: { headers: user },
    },
  };
}
