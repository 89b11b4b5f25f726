import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../../../../src/hosts/gateway/auth/authenticator.js";
import { checkAuth } from "../../../../src/hosts/gateway/auth/check-auth.js";
import type { GatewayTrustedProxyAuth } from "../../../../src/hosts/gateway/index.js";

function identify(headers: Record<string, string>, config: Partial<GatewayTrustedProxyAuth> = {}) {
  const auth: GatewayTrustedProxyAuth = { mode: "trusted-proxy", ...config };
  return createAuthenticator(checkAuth(auth), () => 0).identify({ headers: new Headers(headers) });
}

describe("a trusted proxy", () => {
  it("says who calls by user, scopes and role, in this order", async () => {
    const told = { role: "viewer", scopes: ["run:read", "cron:read"], userId: "ada", triggeredBy: "ada" };
    expect(
      await identify({ "x-user-id": "ada", "x-user-scopes": "run:read,cron:read", "x-user-role": "viewer" }),
    ).toMatchObject(told);
    const trustedHeaders = ["x-who", "x-may", "x-as"];
    expect(
      await identify({ "x-who": "ada", "x-may": "run:read cron:read", "x-as": "viewer" }, { trustedHeaders }),
    ).toMatchObject(told);
  });

  it("that tells neither role nor scopes gives the defaults: an operator who may do everything", async () => {
    expect(await identify({ "x-user-id": "ada" })).toMatchObject({ role: "operator", scopes: ["*"] });
    expect(
      await identify({ "x-user-id": "ada" }, { defaultRole: "guest", defaultScopes: ["run:read"] }),
    ).toMatchObject({ role: "guest", scopes: ["run:read"] });
    expect(await identify({ "x-user-id": "ada", "x-user-scopes": "" })).toMatchObject({ scopes: [] });
    expect(
      await identify({ who: "ada", "x-user-scopes": "run:read" }, { trustedHeaders: ["who"] }),
    ).toMatchObject({
      scopes: ["*"],
    });
  });

  it("that names no user lets no caller in", async () => {
    for (const name of ["service:auto", "gateway", " CRON:gateway", "webhook:deploy", "token:ci"]) {
      await expect(identify({ "x-user-id": name })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect(await identify({ "x-user-id": "gateways" })).toMatchObject({ userId: "gateways" });
  });

  it("without a name lets no caller in", async () => {
    for (const headers of [{}, { "x-user-id": " " }, { "x-user-scopes": "*", "x-user-role": "admin" }]) {
      await expect(identify(headers as Record<string, string>)).rejects.toMatchObject({
        code: "UNAUTHORIZED",
      });
    }
  });
});
