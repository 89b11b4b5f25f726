import { describe, expect, it } from "vitest";
import type { GatewayWebhookConfig } from "../../../../src/hosts/gateway/index.js";
import { VirtualClock } from "../../../../src/testing/virtual-clock.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { bearer, openGateway } from "../support/gateway.js";
import { noting, post, SECRET, signed } from "./support/hooks.js";

const HOUR = 3_600_000;

function open({ clock = new VirtualClock(Date.now()), folder = temporaryFolder(), ...webhook }: Setup = {}) {
  return openGateway(
    (gateway) =>
      gateway.register("note", noting(folder), {
        webhook: { secret: SECRET, run: { enabled: true, inputPath: "$.order" }, ...webhook },
      }),
    { clock, folder },
  );
}

type Setup = { clock?: VirtualClock; folder?: string } & Partial<GatewayWebhookConfig>;

const body = { order: { n: 3 } };

async function runs(gateway: Awaited<ReturnType<typeof open>>): Promise<number> {
  return (await gateway.call<{ runs: unknown[] }>("listRuns")).runs.length;
}

describe("a webhook that starts runs", () => {
  it("gives the run its part of the body, and says who started it", async () => {
    const gateway = await open();
    const { status, body: answer } = await post(gateway, "note", {
      body,
      headers: { "x-delivery-id": "d1" },
    });
    const { runId } = answer["started"] as { runId: string };
    expect({ status, answer }).toEqual({
      status: 200,
      answer: {
        ok: true,
        workflow: "note",
        deliveryId: "d1",
        duplicate: false,
        delivered: [],
        started: { runId },
      },
    });
    await gateway.until(runId, "finished");
    const { output } = (await gateway.call("getNode", { runId, nodeId: "note" })) as {
      output: { n: number; by: string };
    };
    expect(output.n).toBe(3);
    expect(JSON.parse(output.by)).toMatchObject({
      triggeredBy: "webhook:note",
      role: "system",
      scopes: ["*"],
    });
  });

  it("starts one run of 20 equal posts at once, with an id or without", async () => {
    const gateway = await open();
    for (const headers of [{}, { "x-github-delivery": "d1" }]) {
      const before = await runs(gateway);
      const same = { order: { n: before } };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post(gateway, "note", { body: same, headers })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body["started"]))).size).toBe(1);
      expect(answers.filter(({ body }) => body["duplicate"] === false)).toHaveLength(1);
      expect(await runs(gateway)).toBe(before + 1);
    }
  });

  it("starts one run of equal posts to two gateways on one database", async () => {
    const folder = temporaryFolder();
    const gateways = [await open({ folder }), await open({ folder })];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post(gateways[index % 2] as never, "note", { body })),
    );
    expect(answers.filter(({ body }) => body["duplicate"] === false)).toHaveLength(1);
    expect(await runs(gateways[0] as never)).toBe(1);
  });

  it("answers a captured request within a day as the first, refuses it later, and starts nothing", async () => {
    const clock = new VirtualClock(Date.now());
    const gateway = await open({ clock });
    const captured = { body, headers: { "x-delivery-id": "d1" } };
    const first = await post(gateway, "note", captured);
    clock.moveTo(clock.now() + HOUR);
    expect(await post(gateway, "note", captured)).toEqual({
      status: 200,
      body: { ...first.body, duplicate: true },
    });
    // The id is not signed: leaving it out makes no other delivery.
    expect(await post(gateway, "note", { body })).toMatchObject({
      status: 200,
      body: { duplicate: true, started: first.body["started"] },
    });
    clock.moveTo(clock.now() + 48 * HOUR);
    for (const again of [captured, { body }]) {
      expect(await post(gateway, "note", again)).toMatchObject({
        status: 409,
        body: { error: { code: "WEBHOOK_REPLAYED" } },
      });
    }
    expect(await runs(gateway)).toBe(1);
  });

  it("takes an id that is put on a body that came without one for no new delivery", async () => {
    const gateway = await open();
    await post(gateway, "note", { body });
    const again = await post(gateway, "note", { body, headers: { "x-delivery-id": "made up" } });
    expect(again.body).toMatchObject({ duplicate: true });
    expect(await runs(gateway)).toBe(1);
  });

  it("takes equal bodies under two ids for two deliveries, unless only bodies count", async () => {
    const two = [{ "x-delivery-id": "a" }, { "x-delivery-id": "b" }];
    const trusting = await open();
    for (const headers of two) await post(trusting, "note", { body, headers });
    expect(await runs(trusting)).toBe(2);
    const careful = await open({ deliveryIdHeader: false });
    const answers = [];
    for (const headers of two) answers.push(await post(careful, "note", { body, headers }));
    expect(answers.map((answer) => answer.body["duplicate"])).toEqual([false, true]);
    expect(await runs(careful)).toBe(1);
  });

  it("reads the id from the configured header, and refuses one that another body came with", async () => {
    const gateway = await open({ deliveryIdHeader: "svix-id" });
    const headers = { "svix-id": "m1", "x-delivery-id": "other" };
    expect((await post(gateway, "note", { body, headers })).body["deliveryId"]).toBe("m1");
    const other = await post(gateway, "note", { body: { order: { n: 9 } }, headers });
    expect(other).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
    expect(await runs(gateway)).toBe(1);
  });

  it("refuses a body without the input, and lets the same delivery come again once it fits", async () => {
    const folder = temporaryFolder();
    const headers = { "x-delivery-id": "d1" };
    const strict = await open({ folder });
    for (const [wrong, text] of [
      [{ order: { n: "three" } }, "n"],
      [{ order: [3] }, "$.order should be the input of a run, an object; it is a list"],
      [{}, "$.order should be the input of a run, an object; it has nothing"],
    ] as const) {
      const id = { "x-delivery-id": text };
      expect(await post(strict, "note", { body: wrong, headers: id })).toMatchObject({
        status: 400,
        body: { error: { code: "INVALID_INPUT", message: expect.stringContaining(text) } },
      });
    }
    const late = { late: { n: 4 } };
    expect((await post(strict, "note", { body: late, headers })).status).toBe(400);
    expect(await runs(strict)).toBe(0);
    await strict.gateway.close();
    const mended = await open({ folder, run: { enabled: true, inputPath: "$.late" } });
    expect(await post(mended, "note", { body: late, headers })).toMatchObject({
      status: 200,
      body: { duplicate: false },
    });
    expect(await runs(mended)).toBe(1);
  });

  it("takes a corrected body under the id of a delivery that has failed, and then no other", async () => {
    const gateway = await open();
    const headers = { "x-delivery-id": "fix1" };
    for (const order of [{ n: "three" }, null]) {
      expect((await post(gateway, "note", { body: { order }, headers })).status).toBe(400);
    }
    expect(await post(gateway, "note", { body, headers })).toMatchObject({
      status: 200,
      body: { deliveryId: "fix1", duplicate: false },
    });
    expect((await post(gateway, "note", { body, headers })).body).toMatchObject({ duplicate: true });
    expect((await post(gateway, "note", { body: { order: { n: 4 } }, headers })).status).toBe(400);
    expect(await runs(gateway)).toBe(1);
  });

  it("counts the age of a corrected delivery from its correction", async () => {
    const clock = new VirtualClock(Date.now());
    const gateway = await open({ clock });
    const headers = { "x-delivery-id": "fix1" };
    await post(gateway, "note", { body: { order: 3 }, headers });
    clock.moveTo(clock.now() + 48 * HOUR);
    await post(gateway, "note", { body, headers });
    clock.moveTo(clock.now() + HOUR);
    expect(await post(gateway, "note", { body, headers })).toMatchObject({
      status: 200,
      body: { duplicate: true },
    });
  });

  it("says what a body is that should be an object", async () => {
    const gateway = await open({ run: { enabled: true } });
    const { body: answer } = await post(gateway, "note", { body: null });
    expect(answer.error?.message).toContain("The body should be the input of a run, an object; it is null.");
  });

  it.each<Partial<GatewayWebhookConfig>>([
    { run: undefined },
    { run: {} },
    { run: { enabled: false } },
    { run: { inputPath: "$.order" } },
  ])("starts none without `enabled`, and says so: %j", async (webhook) => {
    const gateway = await open(webhook);
    expect(await post(gateway, "note", { body })).toMatchObject({
      status: 200,
      body: { duplicate: false, delivered: [], started: null },
    });
    expect((await post(gateway, "note", { body })).body).toMatchObject({ duplicate: true, started: null });
    expect(await runs(gateway)).toBe(0);
    const headers = { "x-hub-signature-256": "sha256=00" };
    expect((await post(gateway, "note", { body, headers })).status).toBe(401);
  });

  it("tells its recent deliveries, without what they carried", async () => {
    const gateway = await open();
    await post(gateway, "note", { body, headers: { "x-delivery-id": "d1" } });
    await post(gateway, "note", { body, headers: { "x-delivery-id": "d1" } });
    await post(gateway, "note", { body: { order: 1 }, headers: { "x-delivery-id": "d2" } });
    const { deliveries } = await gateway.call<{ deliveries: object[] }>("webhookDeliveries", {
      workflow: "note",
    });
    expect(deliveries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ deliveryId: "d1", state: "done", repeats: 1, knownBy: "id" }),
        expect.objectContaining({
          deliveryId: "d2",
          state: "failed",
          error: expect.objectContaining({ code: "INVALID_INPUT" }),
        }),
      ]),
    );
    expect(JSON.stringify(deliveries)).not.toContain('"n"');
  });
});

describe("a request to a webhook", () => {
  const refusals: [what: string, path: string, headers: Record<string, string | undefined>][] = [
    ["an unknown key", "none", {}],
    ["a workflow without a webhook", "plain", {}],
    ["no signature", "note", { "x-hub-signature-256": undefined }],
    ["another secret", "note", { "x-hub-signature-256": signed(JSON.stringify(body), "other") }],
    ["another prefix", "note", { "x-hub-signature-256": signed(JSON.stringify(body)).replace("256", "1") }],
    ["no prefix", "note", { "x-hub-signature-256": signed(JSON.stringify(body)).slice(7) }],
    ["half a signature", "note", { "x-hub-signature-256": signed(JSON.stringify(body)).slice(0, 50) }],
    ["a token instead", "note", { "x-hub-signature-256": undefined, ...bearer(SECRET) }],
  ];

  it.each(refusals)(
    "with %s is refused in the same words, and nothing is written",
    async (_what, path, headers) => {
      const gateway = await openGateway((gateway, folder) => {
        gateway.register("note", noting(folder), { webhook: { secret: SECRET, run: { enabled: true } } });
        gateway.register("plain", noting(folder));
      });
      const { status, body: answer } = await post(gateway, path, { body, headers });
      expect({ status, code: answer.error?.code }).toEqual({
        status: 401,
        code: "WEBHOOK_SIGNATURE_INVALID",
      });
      expect(answer.error?.message).toMatch(/^No webhook has this key and this signature.*`secret`/);
      expect(answer.error?.message).not.toMatch(/authorization|token/i);
      expect(JSON.stringify(answer)).not.toContain(SECRET);
      expect(await gateway.call("webhookDeliveries", { workflow: "note" })).toMatchObject({ deliveries: [] });
    },
  );

  it("is verified as the bytes that came, before anything looks into them", async () => {
    const gateway = await open();
    const spaced = '{ "order" : { "n" : 3 } }';
    const other = { body: spaced, headers: { "x-hub-signature-256": signed('{"order":{"n":3}}') } };
    expect((await post(gateway, "note", other)).status).toBe(401);
    expect((await post(gateway, "note", { body: spaced })).status).toBe(200);
    const noJson = { body: "{", headers: { "x-hub-signature-256": "sha256=" } };
    expect((await post(gateway, "note", noJson)).status).toBe(401);
    expect(await post(gateway, "note", { body: "{" })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_JSON" } },
    });
    expect((await post(gateway, "note", { body: new Uint8Array([34, 0xff, 34]) })).status).toBe(400);
    const deep = `${"[".repeat(100)}${"]".repeat(100)}`;
    expect((await post(gateway, "note", { body: deep })).status).toBe(400);
  });

  it("may carry its signature in another header, behind another prefix or none", async () => {
    const gateway = await open({ signatureHeader: "X-Signature", signaturePrefix: "" });
    const signature = signed(JSON.stringify(body)).slice(7).toUpperCase();
    const headers = { "x-hub-signature-256": undefined, "x-signature": signature };
    expect((await post(gateway, "note", { body, headers })).status).toBe(200);
  });

  it("is too large when the gateway says so, whatever its signature", async () => {
    const gateway = await openGateway(
      (gateway, folder) =>
        gateway.register("note", noting(folder), { webhook: { secret: SECRET, run: { enabled: true } } }),
      { maxBodyBytes: 100 },
    );
    const large = { n: 1, text: "x".repeat(200) };
    expect(await post(gateway, "note", { body: large })).toMatchObject({
      status: 413,
      body: { error: { code: "PAYLOAD_TOO_LARGE" } },
    });
  });

  it("needs no token where everything else does", async () => {
    const gateway = await openGateway(
      (gateway, folder) =>
        gateway.register("note", noting(folder), { webhook: { secret: SECRET, run: { enabled: true } } }),
      { auth: { mode: "token", tokens: { t: { role: "r", scopes: ["*"] } } } },
    );
    expect((await post(gateway, "note", { body: { n: 1 } })).status).toBe(200);
  });
});

it.each([
  ["a secret that is empty", { secret: "" }],
  ["a path that is none", { secret: "s", run: { enabled: true, inputPath: "$..a" } }],
  ["a path of the signal that is none", { secret: "s", signal: { name: "x", correlationIdPath: "$.*" } }],
  ["a signal without a name", { secret: "s", signal: {} }],
  ["a header that is none", { secret: "s", signatureHeader: "a b" }],
  ["an option that it does not have", { secret: "s", runs: {} }],
])("a webhook with %s is refused when it is registered", async (_what, webhook) => {
  const { Gateway } = await import("../../../../src/hosts/gateway/index.js");
  const register = () => new Gateway().register("note", noting(temporaryFolder()), { webhook } as never);
  expect(register).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
});
