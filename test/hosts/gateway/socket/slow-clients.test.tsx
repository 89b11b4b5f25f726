import { expect, it } from "vitest";
import { VirtualTime } from "../../../support/engine/virtual-time.js";
import { openGateway } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";

it("A client that reads nothing gets no more than its outbox holds and is dropped; one that reads gets everything", async () => {
  const time = new VirtualTime();
  let made = 0;
  const ITEMS = 400;
  const large = async function* () {
    for (let n = 0; n < ITEMS; n += 1) {
      made += 1;
      yield "x".repeat(50_000);
    }
  };
  const { url } = await openGateway(
    (gateway) => gateway.extend("test", { streams: { large: { handler: large } } }),
    { clock: time },
  );
  const stuck = await SocketClient.connect(url);
  stuck.socket.pause();
  stuck.send({ type: "req", id: "s", method: "ext.test.large" });
  await expect.poll(() => made).toBeGreaterThan(5);
  // What the machine's own buffers take, and then no more.
  let before = -1;
  await expect
    .poll(() => {
      const isStill = before === made;
      before = made;
      return isStill;
    })
    .toBe(true);
  expect(made).toBeLessThan(ITEMS);
  const reader = await SocketClient.connect(url);
  const { streamId } = await reader.result("ext.test.large");
  expect((await reader.all(streamId)).length).toBe(ITEMS + 1);
  await time.advance(30_000);
  stuck.socket.resume();
  expect([1013, 1006]).toContain((await stuck.closed).code);
  expect(reader.socket.readyState).toBe(reader.socket.OPEN);
});
