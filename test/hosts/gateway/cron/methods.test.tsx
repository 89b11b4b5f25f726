import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../src/testing/virtual-clock.js";
import { bearer, openGateway } from "../support/gateway.js";
import { doubling } from "../support/workflows.js";
import { counting } from "./support/workflows.js";

const START = Date.parse("2026-05-04T08:30:00Z");

function open() {
  return openGateway(
    (gateway, folder) => {
      gateway.register("count", counting(folder)).register("apart", doubling(folder, { db: "apart.db" }));
    },
    { clock: new VirtualClock(START) },
  );
}

const weekly = { workflow: "apart", pattern: "30 9 * * 1", timeZone: "Europe/Berlin", input: { n: 3 } };

describe("schedules over RPC", () => {
  it("are made, listed over all databases, changed and deleted", async () => {
    const gateway = await open();
    const made = await gateway.call("cronCreate", { ...weekly, cronId: "mondays", overlap: "queue" });
    expect(made).toMatchObject({
      cronId: "mondays",
      workflowKey: "apart",
      overlap: "queue",
      catchUp: "skip",
      enabled: true,
      input: { n: 3 },
      createdBy: "gateway",
      createdAtMs: START,
    });
    expect((made as { nextFiresAtMs: number[] }).nextFiresAtMs[0]).toBe(Date.parse("2026-05-11T07:30:00Z"));
    const other = await gateway.call("cronCreate", { workflow: "count", pattern: "@daily" });
    const { schedules } = await gateway.call<{ schedules: object[] }>("cronList");
    expect(schedules).toEqual(
      expect.arrayContaining([
        { ...made, history: [] },
        { ...other, history: [] },
      ]),
    );
    expect(await gateway.call("cronList", { workflow: "count" })).toMatchObject({
      schedules: [{ cronId: other["cronId"] }],
    });
    expect(await gateway.call("cronUpdate", { cronId: "mondays", catchUp: "latest" })).toMatchObject({
      pattern: "30 9 * * 1",
      catchUp: "latest",
      overlap: "queue",
    });
    expect(await gateway.call("cronDelete", { cronId: "mondays" })).toEqual({
      cronId: "mondays",
      removed: true,
    });
    expect(await gateway.rpc("cronDelete", { cronId: "mondays" })).toMatchObject({
      status: 404,
      body: { error: { code: "CRON_NOT_FOUND" } },
    });
  });

  it.each([
    ["pattern", { pattern: "61 * * * *" }],
    ["pattern", { pattern: "0 0 30 2 *" }],
    ["timeZone", { timeZone: "Mars/Base" }],
    ["cronId", { cronId: "gateway:apart" }],
  ])("are refused by the name of the wrong field: %s", async (option, wrong) => {
    const gateway = await open();
    expect(await gateway.rpc("cronCreate", { ...weekly, ...wrong })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", details: { option } } },
    });
  });

  it("are refused with an input that does not fit, an id that is taken, or a workflow that there is not", async () => {
    const gateway = await open();
    expect(await gateway.rpc("cronCreate", { ...weekly, input: { n: "three" } })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", message: expect.stringContaining("n") } },
    });
    await gateway.call("cronCreate", { ...weekly, cronId: "c" });
    expect(
      await gateway.rpc("cronCreate", { workflow: "count", pattern: "@daily", cronId: "c" }),
    ).toMatchObject({
      status: 409,
      body: { error: { code: "CRON_EXISTS" } },
    });
    expect(await gateway.rpc("cronCreate", { ...weekly, workflow: "none" })).toMatchObject({ status: 404 });
  });

  it("run when they are asked to, with an input of their own, as who asked", async () => {
    const gateway = await open();
    await gateway.call("cronCreate", { ...weekly, cronId: "c", enabled: false });
    const asked = await gateway.call("cronRun", { cronId: "c", input: { n: 5 } });
    expect(asked).toMatchObject({
      state: "fired",
      trigger: "manual",
      workflowKey: "apart",
      triggeredBy: "gateway",
    });
    const runId = asked["runId"] as string;
    await gateway.until(runId, "finished");
    expect(await gateway.call("getNode", { runId, nodeId: "double" })).toMatchObject({ output: { n: 10 } });
    expect(await gateway.call("cronList", { cronId: "c" })).toMatchObject({
      schedules: [{ history: [{ runId, state: "fired", trigger: "manual" }] }],
    });
    expect((await gateway.rpc("cronRun", { cronId: "none" })).status).toBe(404);
    expect((await gateway.rpc("cronRun", { cronId: "c", input: { n: "x" } })).status).toBe(400);
  });
});

it("who may read schedules may not write them", async () => {
  const gateway = await openGateway((gateway, folder) => gateway.register("count", counting(folder)), {
    auth: {
      mode: "token",
      tokens: {
        reads: { role: "viewer", scopes: ["cron:read"] },
        writes: { role: "dev", scopes: ["cron:write", "run:write"], userId: "ada" },
      },
    },
  });
  const create = { workflow: "count", pattern: "@daily", cronId: "c" };
  expect(await gateway.call("cronCreate", create, bearer("writes"))).toMatchObject({ createdBy: "ada" });
  expect(await gateway.call("cronList", {}, bearer("writes"))).toMatchObject({
    schedules: [{ cronId: "c" }],
  });
  expect(await gateway.call("cronList", {}, bearer("reads"))).toMatchObject({ schedules: [{ cronId: "c" }] });
  for (const [method, params] of [
    ["cronCreate", create],
    ["cronUpdate", { cronId: "c" }],
    ["cronRun", { cronId: "c" }],
    ["cronDelete", { cronId: "c" }],
  ] as const) {
    expect(await gateway.rpc(method, params, bearer("reads"))).toMatchObject({
      status: 403,
      body: { error: { details: { requiredScope: "cron:write" } } },
    });
  }
  const run = await gateway.call("cronRun", { cronId: "c" }, bearer("writes"));
  expect(run).toMatchObject({ state: "fired", triggeredBy: "ada" });
});
