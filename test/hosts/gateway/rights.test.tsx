import { expect, it } from "vitest";
import { bearer, openGateway } from "./support/gateway.js";
import { doubling } from "./support/workflows.js";

it("health says in whose name a caller acts, and of each method that it may not use what is missing", async () => {
  const tokens = {
    all: { role: "lead", scopes: ["*"], userId: "ada" },
    some: { role: "viewer", scopes: ["run:read", "cron:write"], userId: "eve" },
  };
  const gateway = await openGateway((gateway, folder) => gateway.register("double", doubling(folder)), {
    auth: { mode: "token", tokens },
  });
  expect(await gateway.call("health", {}, bearer("all"))).toMatchObject({ caller: "ada", missingScopes: {} });
  const { caller, missingScopes } = await gateway.call<{
    caller: string;
    missingScopes: Record<string, string>;
  }>("health", {}, bearer("some"));
  expect(caller).toBe("eve");
  expect(missingScopes).toMatchObject({
    launchRun: "run:write",
    submitApproval: "approval:submit",
    // Of several scopes the first that is missing.
    cronRun: "run:write",
  });
  expect(missingScopes).not.toHaveProperty("listRuns");
  expect(missingScopes).not.toHaveProperty("streamRunEvents");
});

it("without credentials nothing is missing, and callers have no name", async () => {
  const gateway = await openGateway((gateway, folder) => gateway.register("double", doubling(folder)));
  expect(await gateway.call("health")).toMatchObject({ caller: null, missingScopes: {} });
});
