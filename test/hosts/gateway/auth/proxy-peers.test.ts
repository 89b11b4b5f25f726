import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { Gateway } from "../../../../src/index.js";
import type { GatewayTrustedProxyAuth } from "../../../../src/hosts/gateway/index.js";
import { parseNetwork, peersOf } from "../../../../src/hosts/gateway/auth/proxy-peers.js";

const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
afterEach(() => warnings.mockClear());

const HELLO = { minProtocol: 1, maxProtocol: 1, client: { id: "test", version: "1" } };

async function listening(auth: Partial<GatewayTrustedProxyAuth>) {
  const gateway = new Gateway({ auth: { mode: "trusted-proxy", ...auth } });
  const { port } = (await gateway.listen({ port: 0 })).address() as AddressInfo;
  onTestFinished(() => gateway.close());
  return {
    async http(headers: Record<string, string> = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/workflows`, {
        headers: { "x-user-id": "ada", ...headers },
      });
      return response.status;
    },
    async socket(headers: Record<string, string> = {}) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { "x-user-id": "ada", ...headers } });
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "req", id: "1", method: "connect", params: HELLO }));
      const [answer] = (await once(socket, "message")) as [Buffer];
      socket.terminate();
      return (JSON.parse(String(answer)) as { ok: boolean }).ok;
    },
  };
}

it("a gateway behind a proxy believes the addresses that it names, over HTTP and WebSocket", async () => {
  const near = await listening({ trustedProxies: ["127.0.0.0/8"] });
  expect([await near.http(), await near.socket()]).toEqual([200, true]);
  const far = await listening({ trustedProxies: ["10.0.0.0/8", "::2"] });
  expect([await far.http(), await far.socket()]).toEqual([401, false]);
  // What a request says of its way counts for nothing.
  expect(await far.http({ "x-forwarded-for": "10.0.0.1" })).toBe(401);
  expect(warnings).not.toHaveBeenCalled();
});

it("a proxy that adds a secret is believed with it only", async () => {
  const { http, socket } = await listening({ proxySecret: "s3cret" });
  const right = { "x-proxy-secret": "s3cret" };
  expect([await http(right), await socket(right)]).toEqual([200, true]);
  const wrong: Record<string, string>[] = [{}, { "x-proxy-secret": "" }, { "x-proxy-secret": "s3cre" }];
  for (const headers of wrong) {
    expect([await http(headers), await socket(headers)]).toEqual([401, false]);
  }
  expect(warnings).not.toHaveBeenCalled();
});

it("a gateway that believes any peer warns of it, and says what to give", async () => {
  await listening({});
  expect(warnings).toHaveBeenCalledWith(
    expect.stringMatching(/any peer.*auth\.trustedProxies.*auth\.proxySecret/),
  );
});

it.each([["10.0.0.0/33"], ["10.0.0.0/8/8"], ["10.0.0"], ["proxy"], ["fe80::1%eth0"], ["::/129"], [""], [7]])(
  "%s is no address or network",
  (text) => {
    expect(parseNetwork(text)).toBeUndefined();
    expect(() => new Gateway({ auth: { mode: "trusted-proxy", trustedProxies: [text as string] } })).toThrow(
      "a list of addresses and networks",
    );
  },
);

it.each([
  ["10.1.2.3", true],
  ["::ffff:10.1.2.3", true],
  ["11.1.2.3", false],
  ["fd00::7", true],
  ["fe00::7", false],
  ["", false],
  [undefined, false],
])("of 10.0.0.0/8 and fd00::/8, %s: %s", (peer, isIn) => {
  expect(peersOf(["10.0.0.0/8", "fd00::/8"])(peer)).toBe(isIn);
});
