import { expect, it } from "vitest";
import { ServiceError } from "../../../../src/index.js";
import { openGateway } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";

it("Streams of extensions bring what they yield, say how they end, and are stopped with their client", async () => {
  let stopped = 0;
  const endless = async function* (_params: unknown, { signal }: { signal: AbortSignal }) {
    try {
      yield "first";
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    } finally {
      stopped += 1;
    }
  };
  const count = async function* (params: unknown) {
    for (let n = 0; n < (params as { to: number }).to; n += 1) yield { n };
  };
  const broken = async function* () {
    yield 1;
    throw new ServiceError("RATE_LIMITED", "Not so fast.");
  };
  const { url, rpc } = await openGateway(
    (gateway) =>
      gateway.extend("test", {
        streams: {
          endless: { handler: endless },
          count: { handler: count },
          broken: { handler: broken },
          admin: { scope: "run:admin", handler: count },
        },
      }),
    { auth: { mode: "token", tokens: { reader: { role: "reader", scopes: ["run:read"] } } } },
  );
  const client = await SocketClient.connect(url, { token: "reader" });
  const counting = await client.result("ext.test.count", { to: 3 });
  expect(
    (await client.all(counting["streamId"])).map(({ event, seq, payload }) => [event, seq, payload["item"]]),
  ).toEqual([
    ["stream.item", 0, { n: 0 }],
    ["stream.item", 1, { n: 1 }],
    ["stream.item", 2, { n: 2 }],
    ["stream.end", 3, undefined],
  ]);
  const breaking = await client.result("ext.test.broken");
  expect((await client.all(breaking["streamId"])).at(-1)).toMatchObject({
    event: "stream.error",
    payload: { error: { code: "RATE_LIMITED" } },
  });
  expect((await client.request("ext.test.admin")).error).toMatchObject({
    code: "FORBIDDEN",
    requiredScope: "run:admin",
  });
  const told = await client.result("ext.test.endless");
  await client.next(({ payload }) => payload?.["item"] === "first");
  await client.result("stopStream", { streamId: told["streamId"] });
  await expect.poll(() => stopped).toBe(1);
  await client.result("ext.test.endless");
  client.socket.terminate();
  await expect.poll(() => stopped).toBe(2);
  const overHttp = await rpc("ext.test.count", { to: 1 }, { authorization: "Bearer reader" });
  expect(overHttp).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
});
