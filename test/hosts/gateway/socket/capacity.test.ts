import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { openGateway } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";

/** The status that an upgrade is refused with. */
async function refusal(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const socket = new WebSocket(url.replace("http", "ws"), { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve) => {
    socket.on("unexpected-response", (_sent, response) => {
      response.resume();
      resolve(response.statusCode);
    });
    socket.on("open", () => resolve(undefined));
    socket.on("error", () => undefined);
  });
}

/** The status of `/health` over a connection of its own. */
async function health(url: string): Promise<number | undefined> {
  const sent = request(`${url}/health`, { agent: false });
  sent.end();
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
}

/** A connection that says nothing. */
async function idle(url: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

describe("as many WebSockets as a gateway may have", () => {
  it("are let in beside any requests; one more is answered with 503, until one of them ends", async () => {
    const { url } = await openGateway(() => {}, { maxConnections: 2 });
    for (let count = 0; count < 3; count += 1) await idle(url);
    const first = await SocketClient.connect(url);
    expect(await health(url)).toBe(200);
    const second = await SocketClient.connect(url);
    expect(await refusal(url)).toBe(503);
    expect(await health(url)).toBe(200);
    expect(await second.result("health")).toMatchObject({ ok: true });
    first.socket.close();
    await first.closed;
    await expect.poll(() => refusal(url)).toBe(undefined);
  });

  it("are all released, politely, when it closes", async () => {
    const { gateway, url } = await openGateway(() => {});
    const clients = [await SocketClient.connect(url), await SocketClient.open(url)];
    await gateway.close();
    for (const { closed } of clients) expect((await closed).code).toBe(1001);
  });
});

describe("a request for a WebSocket", () => {
  it("is refused to pages of other origins, and to other names of this machine where there is no auth", async () => {
    const open = await openGateway(() => {});
    expect(await refusal(open.url, { origin: "https://evil.example" })).toBe(403);
    expect(await refusal(open.url, { host: "evil.example" })).toBe(403);
    const { host } = new URL(open.url);
    for (const foreign of [
      { host: "evil@localhost" },
      { host: `evil@${host}`, origin: `http://evil@${host}` },
      { origin: "http://localhost:3000" },
      { origin: "vscode-webview://localhost" },
    ]) {
      expect({ foreign, status: await refusal(open.url, foreign as Record<string, string>) }).toEqual({
        foreign,
        status: 403,
      });
    }
    expect(await refusal(open.url, { origin: `http://${host}` })).toBe(undefined);
    const tokens = { all: { role: "operator", scopes: ["*"] } };
    const allowedOrigins = ["https://good.example"];
    const guarded = await openGateway(() => {}, { auth: { mode: "token", tokens, allowedOrigins } });
    expect(await refusal(guarded.url, { origin: "https://evil.example" })).toBe(403);
    expect(await refusal(guarded.url, { origin: "https://good.example" })).toBe(undefined);
    expect(await refusal(guarded.url)).toBe(undefined);
  });

  it("agrees to no compression: what is small on the wire cannot be large here", async () => {
    const { url } = await openGateway(() => {});
    const client = await SocketClient.open(url, { perMessageDeflate: true });
    expect(client.socket.extensions).toBe("");
  });
});
