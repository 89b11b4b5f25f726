import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../../../../src/hosts/gateway/auth/authenticator.js";
import { checkAuth } from "../../../../src/hosts/gateway/auth/check-auth.js";
import type { GatewayTokenGrant } from "../../../../src/hosts/gateway/index.js";

const NOW = 1_000_000;

function identify(tokens: Record<string, GatewayTokenGrant>, headers: Record<string, string>) {
  return createAuthenticator(checkAuth({ mode: "token", tokens }), () => NOW).identify({
    headers: new Headers(headers),
  });
}

const grant = { role: "deployer", scopes: ["run:write"] };

describe("a token of a gateway", () => {
  it("stands for its grant, as a bearer token or in x-service-key", async () => {
    const tokens = { secret: { ...grant, userId: "ada", tokenId: "t1" } };
    const caller = {
      role: "deployer",
      scopes: ["run:write"],
      userId: "ada",
      tokenId: "t1",
      triggeredBy: "ada",
      isAuthenticated: true,
    };
    expect(await identify(tokens, { authorization: "Bearer secret" })).toEqual(caller);
    expect(await identify(tokens, { authorization: "bearer  secret " })).toEqual(caller);
    expect(await identify(tokens, { "x-service-key": "secret" })).toEqual(caller);
  });

  it("without a user is named by its id, and without one of these by its digest", async () => {
    const bearer = { authorization: "Bearer secret" };
    expect(await identify({ secret: { ...grant, tokenId: "ci" } }, bearer)).toMatchObject({
      userId: null,
      triggeredBy: "token:ci",
    });
    const nameless = await identify({ secret: grant }, bearer);
    expect(nameless).toMatchObject({
      userId: null,
      triggeredBy: expect.stringMatching(/^token:[0-9a-f]{16}$/),
    });
    expect(nameless.tokenId).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each<[string, Partial<GatewayTokenGrant>, string | null]>([
    ["expires now", { expiresAtMs: NOW }, "expired"],
    ["expires later", { expiresAtMs: NOW + 1 }, null],
    ["was revoked", { revokedAtMs: NOW - 1 }, "revoked"],
    ["has a time of revocation, be it later", { revokedAtMs: NOW + 1 }, "revoked"],
    ["is issued now", { issuedAtMs: NOW }, null],
    ["is issued later", { issuedAtMs: NOW + 1 }, "early"],
  ])("that %s", async (_what, fields, reason) => {
    const identified = identify({ secret: { ...grant, ...fields } }, { authorization: "Bearer secret" });
    if (reason === null) expect(await identified).toMatchObject({ role: "deployer" });
    else await expect(identified).rejects.toMatchObject({ code: "UNAUTHORIZED", details: { reason } });
  });

  it.each<[string, Record<string, string>, string]>([
    ["is missing", {}, "missing"],
    ["is empty", { "x-service-key": "" }, "missing"],
    ["is another", { authorization: "Bearer secre" }, "unknown"],
    ["is longer", { authorization: "Bearer secrets" }, "unknown"],
    ["is a name of every object", { authorization: "Bearer constructor" }, "unknown"],
    ["comes by another scheme", { authorization: "Basic secret" }, "missing"],
  ])("that %s is refused", async (_what, headers, reason) => {
    await expect(identify({ secret: grant }, headers)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      details: { reason },
    });
  });
});
