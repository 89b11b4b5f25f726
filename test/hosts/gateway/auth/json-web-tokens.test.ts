import { base64url, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAuthenticator } from "../../../../src/hosts/gateway/auth/authenticator.js";
import { checkAuth } from "../../../../src/hosts/gateway/auth/check-auth.js";
import { Gateway, type GatewayJwtAuth } from "../../../../src/hosts/gateway/index.js";

const NOW_S = 1_700_000_000;
const SECRET = "a secret that is long enough for HS256 and for HS512, which needs twice as much of it";
const CLAIMS = { iss: "https://issuer", aud: "treadle", sub: "ada", exp: NOW_S + 600 };

type Claims = Record<string, unknown>;

function sign(claims: Claims, { alg = "HS256", secret = SECRET } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

function identify(token: string, config: Partial<GatewayJwtAuth> = {}) {
  const auth: GatewayJwtAuth = {
    mode: "jwt",
    issuer: "https://issuer",
    audience: "treadle",
    secret: SECRET,
    ...config,
  };
  return createAuthenticator(checkAuth(auth), () => NOW_S * 1_000).identify({
    headers: new Headers(),
    token,
  });
}

const without = (claim: string): Claims =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([name]) => name !== claim));

describe("a JSON Web Token", () => {
  it.each(["service:auto", "gateway", "cron:gateway", "webhook:deploy", "token:ci"])(
    "of the user %s, who is none, is refused",
    async (sub) => {
      const refused = identify(await sign({ ...CLAIMS, sub }));
      await expect(refused).rejects.toMatchObject({ code: "UNAUTHORIZED", details: { reason: "invalid" } });
    },
  );

  it("tells user, role and scopes", async () => {
    expect(
      await identify(await sign({ ...CLAIMS, role: "viewer", scope: "run:read cron:read", jti: "j" })),
    ).toEqual({
      role: "viewer",
      scopes: ["run:read", "cron:read"],
      userId: "ada",
      tokenId: "j",
      triggeredBy: "ada",
      isAuthenticated: true,
    });
  });

  it.each([
    [31, 1],
    [32, 0],
  ])("may be signed with a secret of %i bytes; %i warnings say that it is short", async (length, times) => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    const secret = "k".repeat(length);
    const auth = { mode: "jwt" as const, issuer: "https://issuer", audience: "treadle", secret };
    new Gateway({ auth });
    expect(warned.mock.calls).toEqual(
      Array.from({ length: times }, () => [expect.stringContaining("32 bytes")]),
    );
    expect(warned.mock.calls.flat().join()).not.toContain(secret);
    expect(await identify(await sign(CLAIMS, { secret }), { secret })).toMatchObject({ userId: "ada" });
  });

  it.each<[string, unknown, string[]]>([
    ["a list", ["run:read", "cron:read"], ["run:read", "cron:read"]],
    ["separated by commas", "run:read, cron:read", ["run:read", "cron:read"]],
    ["an empty text", "", []],
    ["something else", 7, []],
  ])("may have its scopes as %s", async (_how, scope, scopes) => {
    const defaultScopes = ["run:admin"];
    expect(await identify(await sign({ ...CLAIMS, scope }), { defaultScopes })).toMatchObject({ scopes });
  });

  it("without these claims gets the defaults: operator with no scopes, or what is configured", async () => {
    const token = await sign(CLAIMS);
    expect(await identify(token)).toMatchObject({ role: "operator", scopes: [] });
    expect(await identify(token, { defaultRole: "guest", defaultScopes: ["run:read"] })).toMatchObject({
      role: "guest",
      scopes: ["run:read"],
    });
    expect(await identify(await sign(without("sub")))).toMatchObject({
      userId: null,
      triggeredBy: "gateway",
    });
  });

  it("is read by the claims that are configured, own ones only", async () => {
    const token = await sign({ ...CLAIMS, permissions: ["*"], group: "ops", email: "ada@example.com" });
    const named = { scopesClaim: "permissions", roleClaim: "group", userClaim: "email" };
    expect(await identify(token, named)).toMatchObject({
      role: "ops",
      scopes: ["*"],
      userId: "ada@example.com",
    });
    const inherited = { scopesClaim: "constructor", roleClaim: "toString", userClaim: "valueOf" };
    expect(await identify(token, inherited)).toMatchObject({ role: "operator", scopes: [], userId: null });
  });

  it("is for one of the audiences, and may name several", async () => {
    const token = await sign({ ...CLAIMS, aud: ["other", "treadle"] });
    expect(await identify(token, { audience: ["a", "treadle"] })).toMatchObject({ userId: "ada" });
  });

  it.each<[string, Claims, Partial<GatewayJwtAuth>, boolean]>([
    ["expired within the skew", { exp: NOW_S - 59 }, {}, true],
    ["expired before", { exp: NOW_S - 61 }, {}, false],
    ["expired within a larger skew", { exp: NOW_S - 100 }, { clockSkewSeconds: 120 }, true],
    ["expired with a skew below 0, which is 0", { exp: NOW_S - 1 }, { clockSkewSeconds: -600 }, false],
    ["not yet expired with that", { exp: NOW_S + 1 }, { clockSkewSeconds: -600 }, true],
    ["valid from within the skew on", { nbf: NOW_S + 59 }, {}, true],
    ["valid from later on", { nbf: NOW_S + 61 }, {}, false],
  ])("%s", async (_when, claims, config, isLetIn) => {
    const identified = identify(await sign({ ...CLAIMS, ...claims }), config);
    if (isLetIn) expect(await identified).toMatchObject({ userId: "ada" });
    else await expect(identified).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it.each<[string, () => Promise<string> | string]>([
    ["has no exp", () => sign(without("exp"))],
    ["has an exp that is no number", () => sign({ ...CLAIMS, exp: "tomorrow" })],
    ["has no issuer", () => sign(without("iss"))],
    ["is of another issuer", () => sign({ ...CLAIMS, iss: "https://other" })],
    ["has no audience", () => sign(without("aud"))],
    ["is for another audience", () => sign({ ...CLAIMS, aud: "other" })],
    ["is signed with another secret", () => sign(CLAIMS, { secret: `${SECRET}!` })],
    ["is signed with another algorithm", () => sign(CLAIMS, { alg: "HS512" })],
    ["is not signed", () => new UnsecuredJWT(CLAIMS).encode()],
    ["says that it is not signed, and is", async () => unsignedHeader(await sign(CLAIMS))],
    [
      "was changed",
      async () => (await sign(CLAIMS)).replace(/\.[^.]+\./, `.${encode({ ...CLAIMS, sub: "root" })}.`),
    ],
    ["is none", () => "not.a.token"],
    ["is anything", () => "\u0000"],
  ])("that %s is refused", async (_what, make) => {
    const failure = await identify(await make()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "UNAUTHORIZED" });
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  });
});

const encode = (value: unknown): string => base64url.encode(JSON.stringify(value));

function unsignedHeader(token: string): string {
  return [encode({ alg: "none" }), ...token.split(".").slice(1)].join(".");
}
