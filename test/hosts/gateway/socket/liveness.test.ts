import { describe, expect, it } from "vitest";
import { Liveness } from "../../../../src/hosts/gateway/socket/liveness.js";
import { VirtualTime } from "../../../support/engine/virtual-time.js";
import { openGateway } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";

describe("a client that says nothing", () => {
  it("gets a tick every heartbeat, and stays as long as it answers pings", async () => {
    const time = new VirtualTime();
    const { url } = await openGateway(() => {}, { heartbeatMs: 5_000, clock: time });
    const client = await SocketClient.connect(url);
    const ticks = () => client.frames.filter(({ event }) => event === "tick");
    // It is counted from when the gateway has seen the client first.
    await time.advance(1_000);
    for (let beat = 1; beat <= 8; beat += 1) {
      await time.advance(5_000);
      await expect.poll(() => ticks().length).toBe(beat);
    }
    expect(ticks().map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(ticks()[0]?.payload).toEqual({ atMs: expect.any(Number) });
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });

  it("gets its ticks also where the clients before it have left, and nobody was there for a time", async () => {
    const time = new VirtualTime();
    const { url } = await openGateway(() => {}, { heartbeatMs: 5_000, clock: time });
    const first = await SocketClient.connect(url);
    first.socket.close();
    await first.closed;
    await time.advance(20_000);
    const client = await SocketClient.connect(url);
    await time.advance(1_000);
    await time.advance(5_000);
    await expect.poll(() => client.frames.filter(({ event }) => event === "tick").length).toBe(1);
  });

  it("is pinged after two heartbeats and closed a third later when it does not answer", async () => {
    const time = new VirtualTime();
    const { url } = await openGateway(() => {}, { heartbeatMs: 5_000, clock: time });
    const client = await SocketClient.connect(url, { autoPong: false });
    let pings = 0;
    client.socket.on("ping", () => {
      pings += 1;
    });
    await time.advance(9_000);
    expect(pings).toBe(0);
    await time.advance(3_000);
    await expect.poll(() => pings).toBe(1);
    await time.advance(6_000);
    expect((await client.closed).code).toBe(4408);
  });
});

describe("whether a client is there", () => {
  const connected = { isConnected: true, stuckMs: 0 };

  it("is asked after two silent heartbeats, and answered by anything that comes", () => {
    const liveness = new Liveness(100);
    const verdicts = [];
    for (let now = 0; now <= 1_000; now += 50) {
      verdicts.push(liveness.check(now, connected));
      if (verdicts.at(-1) === "ping" && now < 500) liveness.heard();
    }
    const pinged = verdicts.indexOf("ping");
    expect(verdicts.filter((verdict) => verdict === "ping").length).toBe(3);
    expect(verdicts.slice(0, pinged)).toEqual(Array.from({ length: pinged }, () => "alive"));
    expect(verdicts.at(-1)).toBe("silent");
  });

  it("is not asked while it is slow to read, until it has read nothing for ten seconds", () => {
    const liveness = new Liveness(100);
    for (let now = 0; now < 10_000; now += 500) {
      expect(liveness.check(now, { isConnected: true, stuckMs: now })).toBe("alive");
    }
    expect(liveness.check(10_000, { isConnected: true, stuckMs: 10_000 })).toBe("stuck");
  });
});
