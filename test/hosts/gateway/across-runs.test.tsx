import { expect, it } from "vitest";
import type { GatewayMethods } from "../../../src/client/gateway-methods.js";
import { bearer, openGateway } from "./support/gateway.js";
import { doubling } from "./support/workflows.js";

type Status = GatewayMethods["hostStatus"]["result"];
type Checked = GatewayMethods["checkAgents"]["result"];

const tokens = {
  reads: { role: "viewer", scopes: ["run:read"], userId: "eve" },
  cron: { role: "viewer", scopes: ["cron:read"], userId: "bob" },
};
const eve = bearer("reads");

const open = () =>
  openGateway(
    (gateway, folder) => {
      gateway.register("double", doubling(folder));
      gateway.register("other", doubling(folder, { name: "other", db: "other.db" }));
    },
    { auth: { mode: "token", tokens } },
  );

it("what is counted across runs is for who may read runs", async () => {
  const gateway = await open();
  for (const [method, params] of [
    ["agentActivity", {}],
    ["checkAgents", {}],
    ["hostStatus", {}],
    ["scoreTrends", { sinceMs: 0 }],
    ["webhookList", {}],
  ] as const) {
    expect(await gateway.rpc(method, params, bearer("cron"))).toMatchObject({
      status: 403,
      body: { error: { details: { requiredScope: "run:read" } } },
    });
    expect({ method, status: (await gateway.rpc(method, params, eve)).status }).toEqual({
      method,
      status: 200,
    });
  }
});

it("a gateway tells what it is at, and asks each of its databases", async () => {
  const gateway = await open();
  const status = await gateway.call<Status>("hostStatus", {}, eve);
  expect(status).toMatchObject({ runsActive: 0, queueDepth: 0, workers: [] });
  expect(status.databases.map(({ path }) => path.slice(gateway.folder.length + 1)).sort()).toEqual([
    "other.db",
    "service.db",
  ]);
  const before = status.requests;
  await gateway.rpc("getRun", { runId: "none" }, eve);
  const after = await gateway.call<Status>("hostStatus", {}, eve);
  expect(after.requests).toBeGreaterThan(before);
  expect(after.dbRead.count).toBeGreaterThan(0);
});

it("the machine's agents are asked once for all who want to know within a minute", async () => {
  const gateway = await open();
  const [one, other] = await Promise.all([
    gateway.call<Checked>("checkAgents", {}, eve),
    gateway.call<Checked>("checkAgents", {}, eve),
  ]);
  expect(one).toEqual(other);
  expect(one.agents.map(({ engine }) => engine)).toContain("codex");
  expect(one.agents[0]?.capabilities.builtIns).not.toEqual([]);
});

it("score trends of a workflow that is not registered, and of more spans than there may be, are refused by name", async () => {
  const gateway = await open();
  expect(await gateway.rpc("scoreTrends", { sinceMs: 0, workflow: "none" }, eve)).toMatchObject({
    status: 404,
  });
  expect(await gateway.rpc("scoreTrends", { sinceMs: 0, spans: 900 }, eve)).toMatchObject({ status: 400 });
  expect(await gateway.call("scoreTrends", { sinceMs: 0, workflow: "double" }, eve)).toMatchObject({
    trends: [],
  });
});
