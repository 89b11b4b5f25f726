import { expect, it } from "vitest";
import type { GatewayMethods } from "../../../../src/client/gateway-methods.js";
import type { GatewayWebhookConfig } from "../../../../src/hosts/gateway/index.js";
import { bearer, openGateway, type OpenGateway } from "../support/gateway.js";
import { noting, ordering, post, SECRET, signed } from "./support/hooks.js";

const tokens = {
  all: { role: "lead", scopes: ["run:write", "signal:submit"], userId: "ada" },
  starts: { role: "lead", scopes: ["run:write"], userId: "bob" },
  reads: { role: "viewer", scopes: ["run:read"], userId: "eve" },
};
const ada = bearer("all");

type Deliveries = GatewayMethods["webhookDeliveries"]["result"];
type Replayed = GatewayMethods["webhookReplay"]["result"];

const starts: Partial<GatewayWebhookConfig> = { run: { enabled: true } };
const delivers: Partial<GatewayWebhookConfig> = {
  signal: { name: "paid", correlationIdPath: "$.order", payloadPath: "$.payment" },
};

function open() {
  return openGateway(
    (gateway, folder) => {
      gateway.register("note", noting(folder), { webhook: { secret: SECRET, ...starts } });
      gateway.register("order", ordering(folder), { webhook: { secret: SECRET, ...delivers } });
      gateway.register("plain", noting(folder));
    },
    { auth: { mode: "token", tokens }, maxBodyBytes: 200_000 },
  );
}

const listed = (gateway: OpenGateway, workflow = "note") =>
  gateway.call<Deliveries>("webhookDeliveries", { workflow }, ada);
const replay = (gateway: OpenGateway, params: object) =>
  gateway.rpc<Replayed & { error?: { code: string } }>("webhookReplay", { workflow: "note", ...params }, ada);

it("webhooks are listed with what a sender has to know, and without their secrets", async () => {
  const gateway = await open();
  const answer = await gateway.call("webhookList", {}, ada);
  expect(answer).toEqual({
    webhooks: [
      {
        workflowKey: "note",
        path: "/webhooks/note",
        signatureHeader: "x-hub-signature-256",
        signaturePrefix: "sha256=",
        deliveryIdHeaders: ["x-delivery-id", "x-github-delivery"],
        signal: null,
        startsRuns: true,
      },
      expect.objectContaining({ workflowKey: "order", signal: "paid", startsRuns: false }),
    ],
  });
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

it("a delivery that was done is made again as one of its own, in the name of who asks for it", async () => {
  const gateway = await open();
  await post(gateway, "note", { body: { n: 1 }, headers: { "x-delivery-id": "d1" } });
  const { body } = await replay(gateway, { delivery: "d1", replayId: "r1" });
  expect(body).toMatchObject({ deliveryKey: "replay:r1", duplicate: false, delivered: [] });
  const runId = body.started?.runId as string;
  await gateway.until(runId, "finished", ada);
  const node = await gateway.call<{ output: { n: number; by: string } }>(
    "getNode",
    { runId, nodeId: "note" },
    ada,
  );
  expect(node.output.n).toBe(1);
  expect(JSON.parse(node.output.by)).toMatchObject({ triggeredBy: "ada", role: "lead" });
  const { deliveries } = await listed(gateway);
  expect(deliveries).toMatchObject([
    { deliveryKey: "replay:r1", knownBy: "replay", replayOf: "id:d1", replayedBy: "ada", state: "done" },
    { deliveryKey: "id:d1", replayOf: null, replayedBy: null, hasBody: true },
  ]);
  expect(JSON.stringify(deliveries)).not.toContain("bodyText");
  // The same replay is made once, however often it is asked for.
  expect((await replay(gateway, { delivery: "d1", replayId: "r1" })).body).toMatchObject({
    duplicate: true,
    started: { runId },
  });
  await post(gateway, "note", { body: { n: 2 }, headers: { "x-delivery-id": "d2" } });
  expect(await replay(gateway, { delivery: "d2", replayId: "r1" })).toMatchObject({
    status: 409,
    body: { error: { code: "IDEMPOTENCY_KEY_REUSED" } },
  });
});

it("a delivery that found nobody is tried again as itself: its sender finds it done", async () => {
  const gateway = await open();
  const early = { body: { order: "7", payment: { amount: 5 } }, headers: { "x-delivery-id": "d1" } };
  expect((await post(gateway, "order", early)).status).toBe(409);
  await gateway.call("launchRun", { workflow: "order", runId: "seven", input: { order: "7" } }, ada);
  await gateway.until("seven", "waiting-event", ada);
  const asked = { workflow: "order", delivery: "id:d1" };
  const delivered = [{ runId: "seven", signal: "paid", correlationId: "7" }];
  expect((await replay(gateway, { ...asked, dryRun: true })).body).toMatchObject({ delivered });
  expect((await listed(gateway, "order")).deliveries).toMatchObject([{ state: "failed" }]);
  expect((await replay(gateway, asked)).body).toMatchObject({ deliveryKey: "id:d1", delivered });
  await gateway.until("seven", "finished", ada);
  expect((await post(gateway, "order", early)).body).toMatchObject({ duplicate: true, delivered });
  expect((await listed(gateway, "order")).deliveries).toMatchObject([{ state: "done", replayedBy: "ada" }]);
});

it("a replay needs the scopes of what a delivery may come to, and the refused one changes nothing", async () => {
  const gateway = await open();
  await post(gateway, "note", { body: { n: 1 }, headers: { "x-delivery-id": "d1" } });
  const asked = { workflow: "note", delivery: "d1" };
  for (const [token, requiredScope] of [
    ["reads", "run:write"],
    ["starts", "signal:submit"],
  ] as const) {
    expect(await gateway.rpc("webhookReplay", asked, bearer(token))).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN", details: { requiredScope } } },
    });
  }
  expect((await listed(gateway)).deliveries).toHaveLength(1);
  expect(await gateway.rpc("webhookDeliveries", { workflow: "plain" }, ada)).toMatchObject({
    status: 404,
    body: { error: { code: "WEBHOOK_NOT_FOUND" } },
  });
});

it("requests that are refused are counted with the reason, with nothing of what they carried, and cannot be replayed", async () => {
  const gateway = await open();
  const forged = { body: { n: 666 }, headers: { "x-hub-signature-256": signed("x", "guessed") } };
  for (let n = 0; n < 20; n += 1) {
    expect((await post(gateway, "note", { ...forged, body: { n } })).status).toBe(401);
  }
  await post(gateway, "note", { body: "{no json" });
  await post(gateway, "unknown", forged);
  const find = (refused: Deliveries["refused"], wanted: string) =>
    refused.filter(({ code }) => code === wanted);
  await expect
    .poll(
      async () => {
        const { refused } = await listed(gateway);
        const sum = find(refused, "WEBHOOK_SIGNATURE_INVALID").reduce((n, { requests }) => n + requests, 0);
        return [sum, find(refused, "INVALID_JSON").map(({ isSigned, requests }) => [isSigned, requests])];
      },
      { timeout: 100_000 },
    )
    .toEqual([20, [[true, 1]]]);
  const { deliveries, refused } = await listed(gateway);
  expect(deliveries).toEqual([]);
  // A row for a minute: the test may see one end.
  expect(refused.length).toBeLessThanOrEqual(4);
  expect(JSON.stringify(refused)).not.toContain("666");
  expect(await replay(gateway, { delivery: "WEBHOOK_SIGNATURE_INVALID" })).toMatchObject({
    status: 404,
    body: { error: { code: "WEBHOOK_DELIVERY_NOT_FOUND" } },
  });
});

it("a body that is too large to be kept is acted upon, and its replay is refused by name", async () => {
  const gateway = await open();
  const body = `{"n":1}${" ".repeat(70_000)}`;
  expect((await post(gateway, "note", { body, headers: { "x-delivery-id": "big" } })).status).toBe(200);
  expect((await listed(gateway)).deliveries).toMatchObject([{ hasBody: false }]);
  expect(await replay(gateway, { delivery: "big" })).toMatchObject({
    status: 409,
    body: { error: { code: "WEBHOOK_BODY_NOT_KEPT" } },
  });
});
