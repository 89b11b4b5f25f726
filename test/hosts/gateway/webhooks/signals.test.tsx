import { describe, expect, it } from "vitest";
import type { GatewayWebhookConfig } from "../../../../src/hosts/gateway/index.js";
import { openGateway } from "../support/gateway.js";
import { ordering, post, SECRET } from "./support/hooks.js";

type Signal = GatewayWebhookConfig["signal"];

const byOrder: Signal = { name: "paid", correlationIdPath: "$.order.id", payloadPath: "$.payment" };

function open(signal: Signal = byOrder, run: GatewayWebhookConfig["run"] = {}) {
  return openGateway((gateway, folder) => {
    gateway.register("order", ordering(folder), { webhook: { secret: SECRET, signal, run } });
    gateway.register("other", ordering(folder, { name: "other" }));
  });
}

async function waiting(
  gateway: Awaited<ReturnType<typeof open>>,
  runId: string,
  order?: string,
  workflow = "order",
) {
  const input = order === undefined ? {} : { order };
  await gateway.call("launchRun", { workflow, runId, input });
  await gateway.until(runId, "waiting-event");
}

const paid = (id: unknown, amount = 5) => ({ order: { id }, payment: { amount } });

describe("a webhook that delivers a signal", () => {
  it("wakes the run that waits for its correlation id, a number too, and no other", async () => {
    const gateway = await open();
    await waiting(gateway, "seven", "7");
    await waiting(gateway, "eight", "8");
    const { body } = await post(gateway, "order", { body: paid(7) });
    expect(body).toMatchObject({
      delivered: [{ runId: "seven", signal: "paid", correlationId: "7" }],
      started: null,
    });
    await gateway.until("seven", "finished");
    expect(await gateway.call("getNode", { runId: "seven", nodeId: "payment" })).toMatchObject({
      output: { amount: 5 },
    });
    expect(await gateway.call("getRun", { runId: "eight" })).toMatchObject({ status: "waiting-event" });
  });

  it("takes no number that JSON has rounded for an id: it could be another one's", async () => {
    const gateway = await open();
    await waiting(gateway, "neighbour", "12345678901234567000");
    expect(
      await post(gateway, "order", { body: '{"order":{"id":12345678901234567001},"payment":{"amount":1}}' }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", message: expect.stringContaining("$.order.id") } },
    });
    expect(await gateway.call("getRun", { runId: "neighbour" })).toMatchObject({ status: "waiting-event" });
  });

  it("reaches every run that waits for it, each once", async () => {
    const gateway = await open();
    for (const runId of ["a", "b"]) await waiting(gateway, runId, "7");
    const { body } = await post(gateway, "order", { body: paid("7") });
    expect(body["delivered"]).toHaveLength(2);
    for (const runId of ["a", "b"]) await gateway.until(runId, "finished");
  });

  it("reaches no run of another workflow, by correlation id or by its own", async () => {
    const gateway = await open({ ...byOrder, runIdPath: "$.run" } as Signal);
    await waiting(gateway, "foreign", "7", "other");
    expect(await post(gateway, "order", { body: { ...paid("7"), run: "foreign" } })).toMatchObject({
      status: 404,
      body: { error: { code: "RUN_NOT_FOUND" } },
    });
    const byId = await open();
    await waiting(byId, "foreign", "7", "other");
    expect((await post(byId, "order", { body: paid("7") })).status).toBe(409);
  });

  it("tells the sender when no run waits, who may send it again", async () => {
    const gateway = await open();
    const early = { body: paid("7"), headers: { "x-delivery-id": "d1" } };
    expect(await post(gateway, "order", early)).toMatchObject({
      status: 409,
      body: { error: { code: "NODE_NOT_WAITING", details: { signal: "paid", correlationId: "7" } } },
    });
    await waiting(gateway, "seven", "7");
    expect(await post(gateway, "order", early)).toMatchObject({ status: 200, body: { duplicate: false } });
    await gateway.until("seven", "finished");
    expect(await post(gateway, "order", early)).toMatchObject({ status: 200, body: { duplicate: true } });
  });

  it("is kept for the run that it names, until that waits; an ended run takes none", async () => {
    const gateway = await open({ name: "paid", runIdPath: "run", payloadPath: "$.payment" });
    await waiting(gateway, "mine");
    expect(await post(gateway, "order", { body: { run: "mine", payment: { amount: 2 } } })).toMatchObject({
      status: 200,
      body: { delivered: [{ runId: "mine", correlationId: null }] },
    });
    await gateway.until("mine", "finished");
    expect(await post(gateway, "order", { body: { run: "mine", payment: { amount: 3 } } })).toMatchObject({
      status: 409,
      body: { error: { code: "RUN_NOT_ACTIVE" } },
    });
    expect((await post(gateway, "order", { body: { run: "none", payment: { amount: 3 } } })).status).toBe(
      404,
    );
  });

  it("without paths reaches runs that wait without a correlation id, with the whole body", async () => {
    const gateway = await open({ name: "paid" });
    await waiting(gateway, "any");
    await waiting(gateway, "seven", "7");
    expect((await post(gateway, "order", { body: { amount: 1 } })).body["delivered"]).toEqual([
      { runId: "any", signal: "paid", correlationId: null },
    ]);
    await gateway.until("any", "finished");
  });

  it.each([
    ["no correlation id", { payment: { amount: 5 } }, "$.order.id should be a correlation id"],
    ["an object for one", paid({}), "$.order.id should be a correlation id"],
    ["nothing to deliver", { order: { id: "7" } }, "$.payment should be what is delivered"],
    ["data that does not fit", { order: { id: "7" }, payment: { amount: "5" } }, "amount"],
  ])("refuses a body with %s, and consumes nothing", async (_what, body, text) => {
    const gateway = await open();
    await waiting(gateway, "seven", "7");
    expect(await post(gateway, "order", { body })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", message: expect.stringContaining(text) } },
    });
    expect((await post(gateway, "order", { body: paid("7") })).status).toBe(200);
    await gateway.until("seven", "finished");
  });
});

describe("a webhook that delivers a signal and starts runs", () => {
  const both = () => open({ ...byOrder, name: "paid" }, { enabled: true, inputPath: "$.start" });

  it("starts a run only when no run waits", async () => {
    const gateway = await both();
    await waiting(gateway, "seven", "7");
    const first = await post(gateway, "order", { body: { ...paid("7"), start: { order: "9" } } });
    expect(first.body).toMatchObject({ delivered: [{ runId: "seven" }], started: null });
    await gateway.until("seven", "finished");
    const second = await post(gateway, "order", { body: { ...paid("8"), start: { order: "9" } } });
    const { started, delivered } = second.body as { started: { runId: string }; delivered: unknown[] };
    expect(delivered).toEqual([]);
    await gateway.until(started.runId, "waiting-event");
  });

  it("starts one for a body without a correlation id", async () => {
    const gateway = await both();
    const { body } = await post(gateway, "order", { body: { start: { order: "9" } } });
    expect(body["started"]).not.toBeNull();
  });

  it("delivers a repeated delivery to no other run, and starts nothing", async () => {
    const gateway = await both();
    await waiting(gateway, "seven", "7");
    const delivery = { body: { ...paid("7"), start: { order: "7" } } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(gateway, "order", delivery)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await gateway.until("seven", "finished");
    await waiting(gateway, "again", "7");
    expect(await post(gateway, "order", delivery)).toMatchObject({
      body: { duplicate: true, delivered: [{ runId: "seven" }], started: null },
    });
    expect(await gateway.call("getRun", { runId: "again" })).toMatchObject({ status: "waiting-event" });
    expect((await gateway.call<{ runs: unknown[] }>("listRuns")).runs).toHaveLength(2);
  });
});
