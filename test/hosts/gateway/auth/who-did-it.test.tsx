import { describe, expect, it } from "vitest";
import { bearer, openGateway } from "../support/gateway.js";
import { type AskOptions, asking, doubling } from "../support/workflows.js";

const tokens = {
  ada: { role: "lead", scopes: ["*"], userId: "ada" },
  bob: { role: "dev", scopes: ["run:write", "approval:submit"], userId: "bob" },
  releaser: { role: "dev", scopes: ["run:write", "approval:submit", "release"], userId: "rel" },
  robot: { role: "ci", scopes: ["*"], tokenId: "ci" },
};

/** A run that waits for a decision. */
async function waiting(ask: AskOptions = {}, auth = true) {
  const gateway = await openGateway(
    (gateway, folder) => gateway.register("ask", asking(folder, ask)),
    auth ? { auth: { mode: "token", tokens } } : {},
  );
  const own = auth ? bearer("ada") : {};
  const { runId } = (await gateway.call("launchRun", { workflow: "ask" }, own)) as { runId: string };
  await gateway.until(runId, "waiting-approval", own);
  const decide = (token: string | null, more: object = {}) =>
    gateway.rpc(
      "submitApproval",
      { runId, nodeId: "gate", approved: true, ...more },
      token === null ? {} : bearer(token),
    );
  const decidedBy = async () => {
    await gateway.until(runId, "waiting-event", own);
    const { output } = (await gateway.call("getNode", { runId, nodeId: "gate" }, own)) as {
      output: { decidedBy: string | null };
    };
    return output.decidedBy;
  };
  return { decide, decidedBy };
}

describe("a run that a caller launches", () => {
  it("knows who, as what and what they may", async () => {
    const { call, until } = await openGateway(
      (gateway, folder) => gateway.register("twice", doubling(folder)),
      {
        auth: { mode: "token", tokens },
      },
    );
    const byOf = async (token: string) => {
      const launch = { workflow: "twice", input: { n: 1 } };
      const { runId } = (await call("launchRun", launch, bearer(token))) as { runId: string };
      await until(runId, "finished", bearer("ada"));
      const { output } = (await call("getNode", { runId, nodeId: "double" }, bearer("ada"))) as {
        output: { by: string };
      };
      return JSON.parse(output.by) as unknown;
    };
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await byOf("bob")).toEqual({
      triggeredBy: "bob",
      role: "dev",
      scopes: ["run:write", "approval:submit"],
      createdAt,
    });
    expect(await byOf("robot")).toEqual({ triggeredBy: "token:ci", role: "ci", scopes: ["*"], createdAt });
  });
});

describe("a decision over a gateway", () => {
  it("without a known caller is in no name that hosts give", async () => {
    const { decide } = await waiting({}, false);
    for (const decidedBy of ["service:auto", "Gateway", "token:ci"]) {
      expect(await decide(null, { decidedBy })).toMatchObject({
        status: 400,
        body: { error: { code: "INVALID_INPUT" } },
      });
    }
    expect((await decide(null, { decidedBy: "ann" })).status).toBe(200);
  });

  it("is the caller's own, who may not speak for another user", async () => {
    const { decide, decidedBy } = await waiting();
    expect(await decide("bob", { decidedBy: "ada" })).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN" } },
    });
    expect((await decide("bob", { decidedBy: "bob" })).status).toBe(200);
    expect(await decidedBy()).toBe("bob");
  });

  it("of a token without a user is kept under the token's id", async () => {
    const { decide, decidedBy } = await waiting();
    expect((await decide("robot", { decidedBy: "ada" })).status).toBe(403);
    expect((await decide("robot")).status).toBe(200);
    expect(await decidedBy()).toBe("token:ci");
  });

  it("needs one of the approval's scopes, which * contains", async () => {
    const first = await waiting({ allowedScopes: ["release"] });
    expect(await first.decide("bob")).toMatchObject({
      status: 403,
      body: { error: { details: { allowedScopes: ["release"] } } },
    });
    expect((await first.decide("releaser")).status).toBe(200);
    expect(await first.decidedBy()).toBe("rel");
    const second = await waiting({ allowedScopes: ["release"] });
    expect((await second.decide("ada")).status).toBe(200);
    const third = await waiting({ allowedScopes: ["run:read"] });
    expect((await third.decide("bob")).status).toBe(200);
  });

  it("needs one of the approval's users, which * does not make a caller", async () => {
    const { decide, decidedBy } = await waiting({ allowedUsers: ["bob"] });
    expect((await decide("ada")).status).toBe(403);
    expect((await decide("robot")).status).toBe(403);
    expect((await decide("bob")).status).toBe(200);
    expect(await decidedBy()).toBe("bob");
  });

  it("on a gateway without auth is whose it says, and has no scopes", async () => {
    const scoped = await waiting({ allowedScopes: ["release"] }, false);
    expect((await scoped.decide(null, { decidedBy: "eve" })).status).toBe(403);
    const open = await waiting({}, false);
    expect((await open.decide(null, { decidedBy: "eve" })).status).toBe(200);
    expect(await open.decidedBy()).toBe("eve");
  });
});
