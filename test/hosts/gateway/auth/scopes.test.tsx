import { describe, expect, it } from "vitest";
import { type GatewayScope, hasScope, SCOPES } from "../../../../src/hosts/gateway/caller.js";
import { METHODS } from "../../../../src/hosts/gateway/rpc/methods.js";
import { bearer, openGateway } from "../support/gateway.js";
import { doubling } from "../support/workflows.js";

/** What each scope contains besides itself. */
const CONTAINED: Partial<Record<GatewayScope, readonly GatewayScope[]>> = {
  "run:admin": ["run:write", "run:read"],
  "run:write": ["run:read"],
  "cron:write": ["cron:read"],
};

describe("a scope", () => {
  it("contains itself and what it implies, and nothing else", () => {
    for (const granted of SCOPES) {
      for (const wanted of SCOPES) {
        const isContained = granted === wanted || (CONTAINED[granted] ?? []).includes(wanted);
        expect({ granted, wanted, has: hasScope({ scopes: [granted] }, wanted) }).toEqual({
          granted,
          wanted,
          has: isContained,
        });
      }
    }
    expect(SCOPES.every((wanted) => hasScope({ scopes: ["*"] }, wanted))).toBe(true);
    expect(SCOPES.some((wanted) => hasScope({ scopes: ["run:*", "constructor", ""] }, wanted))).toBe(false);
  });

  it("that a method needs is asked for before its params are looked at, and named when it is missing", async () => {
    const tokens = Object.fromEntries(SCOPES.map((scope) => [scope, { role: "r", scopes: [scope] }]));
    const { rpc } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens },
    });
    for (const [method, { scope }] of Object.entries(METHODS)) {
      for (const granted of SCOPES) {
        const answer = await rpc(method, { mismatch: true }, bearer(granted));
        const missing = [scope ?? []].flat().find((wanted) => !hasScope({ scopes: [granted] }, wanted));
        if (missing === undefined) {
          expect({ method, granted, status: answer.status }).not.toMatchObject({ status: 403 });
          continue;
        }
        expect({ method, granted, ...answer }).toMatchObject({
          method,
          granted,
          status: 403,
          body: { error: { code: "FORBIDDEN", details: { requiredScope: missing } } },
        });
      }
    }
  });
});

describe("health", () => {
  it("lists the methods that there are", async () => {
    const { call } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const { methods } = (await call("health")) as { methods: string[] };
    expect(methods).toEqual(expect.arrayContaining(["launchRun", "streamRunEvents", "health"]));
  });
});
