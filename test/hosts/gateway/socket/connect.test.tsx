import { describe, expect, it } from "vitest";
import { runWorkflow } from "../../../../src/index.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { VirtualTime } from "../../../support/engine/virtual-time.js";
import { openGateway } from "../support/gateway.js";
import { SocketClient } from "../support/socket-client.js";
import { asking } from "../support/workflows.js";

const GRANTS = {
  all: { role: "operator", scopes: ["*"], userId: "ada" },
  signals: { role: "sender", scopes: ["signal:submit"] },
};
const auth = { mode: "token", tokens: GRANTS } as const;

describe("connecting over a WebSocket", () => {
  it("is answered with what the gateway speaks, who the client is, and what continues", async () => {
    const runId = "one";
    const folder = temporaryFolder();
    const workflow = asking(folder);
    await runWorkflow(workflow, { runId, input: {} });
    const { url } = await openGateway((gateway) => gateway.register("ask", workflow), { folder });
    const client = await SocketClient.open(url);
    const { ok, payload } = await client.connect();
    expect(ok).toBe(true);
    expect(payload).toMatchObject({
      protocol: 1,
      features: ["streaming", "runs"],
      policy: { heartbeatMs: 15_000, maxPayload: 1_048_576 },
      auth: { role: "operator", scopes: ["*"], userId: null },
      snapshot: {
        runs: [{ runId, status: "waiting-approval" }],
        approvals: [{ runId, nodeId: "gate" }],
      },
    });
    expect(await client.request("connect", { minProtocol: 1, maxProtocol: 1 })).toMatchObject({
      ok: false,
      error: { code: "INVALID_INPUT" },
    });
    expect(await client.result("health")).toMatchObject({ ok: true, protocol: 1 });
  });

  it("answers requests that are sent right behind it, after it; a few of them, and none of one that is refused", async () => {
    const { url } = await openGateway(() => {}, { auth });
    const connect = (token: string) => ({
      ...{ type: "req", id: "hello", method: "connect" },
      params: { minProtocol: 1, maxProtocol: 1, client: { id: "a", version: "1" }, auth: { token } },
    });
    const health = (id: string) => ({ type: "req", id, method: "health" });
    const client = await SocketClient.open(url);
    client.send(connect("all"));
    for (let n = 0; n < 9; n += 1) client.send(health(`h${n}`));
    await client.next(({ id }) => id === "h7");
    await client.next(({ id }) => id === "h8");
    const order = client.frames.filter(({ ok }) => ok === true).map(({ id }) => id);
    expect(order).toEqual(["hello", ...Array.from({ length: 8 }, (_, n) => `h${n}`)]);
    expect(client.frames.find(({ ok }) => ok === false)).toMatchObject({
      id: "h8",
      error: { code: "RATE_LIMITED" },
    });
    const refused = await SocketClient.open(url);
    refused.send(connect("another"));
    refused.send(health("h"));
    expect((await refused.closed).code).toBe(4401);
    expect(refused.frames.every(({ ok }) => ok === false)).toBe(true);
  });

  it("shows runs to those only who may read them", async () => {
    const folder = temporaryFolder();
    const workflow = asking(folder);
    await runWorkflow(workflow, { input: {} });
    const { url } = await openGateway((gateway) => gateway.register("ask", workflow), { auth, folder });
    const client = await SocketClient.open(url);
    expect((await client.connect({ auth: { token: "signals" } })).payload).toMatchObject({
      auth: { role: "sender", scopes: ["signal:submit"] },
      snapshot: { runs: [], approvals: [] },
    });
    expect(await client.request("streamRunEvents", { runId: "one" })).toMatchObject({
      ok: false,
      error: { code: "FORBIDDEN", requiredScope: "run:read" },
    });
  });

  it("takes a bearer token of the upgrade as well, and the one of connect before it", async () => {
    const { url } = await openGateway(() => {}, { auth });
    const headers = { authorization: "Bearer all" };
    const client = await SocketClient.open(url, { headers });
    expect((await client.connect()).payload).toMatchObject({ auth: { userId: "ada" } });
    const other = await SocketClient.open(url, { headers });
    expect((await other.connect({ auth: { token: "wrong" } })).error?.code).toBe("UNAUTHORIZED");
    expect((await other.closed).code).toBe(4401);
  });

  it("is refused with 4401 for credentials that are missing or wrong, and with 4400 for another protocol", async () => {
    const { url } = await openGateway(() => {}, { auth });
    for (const given of [{}, { auth: { token: "wrong" } }]) {
      const client = await SocketClient.open(url);
      expect(await client.connect(given)).toMatchObject({ ok: false, error: { code: "UNAUTHORIZED" } });
      expect((await client.closed).code).toBe(4401);
    }
    const client = await SocketClient.open(url);
    const frame = await client.connect({ minProtocol: 2, maxProtocol: 3, auth: { token: "all" } });
    expect(frame.error).toMatchObject({ code: "PROTOCOL_MISMATCH", details: { protocol: 1 } });
    expect((await client.closed).code).toBe(4400);
  });

  it("comes first: nothing else is answered before, and the connection ends after ten seconds without it", async () => {
    const time = new VirtualTime();
    const { url } = await openGateway(() => {}, { auth, clock: time });
    const client = await SocketClient.open(url, { headers: { authorization: "Bearer all" } });
    for (const method of ["listRuns", "health", "streamRunEvents", "stopStream", "nothing"]) {
      expect(await client.request(method, {})).toMatchObject({ ok: false, error: { code: "UNAUTHORIZED" } });
    }
    await time.advance(9_000);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    await time.advance(3_000);
    expect((await client.closed).code).toBe(4408);
    expect(client.frames.every(({ type, ok }) => type === "res" && ok === false)).toBe(true);
  });

  it("ends when the credentials expire or are revoked, within a second of it", async () => {
    const time = new VirtualTime();
    const expiring = { ...GRANTS.all, expiresAtMs: time.now() + 60_000 };
    const revoked: { role: string; scopes: string[]; revokedAtMs?: number } = { ...GRANTS.all };
    const { url } = await openGateway(() => {}, {
      auth: { mode: "token", tokens: { expiring, revoked } },
      clock: time,
    });
    const first = await SocketClient.connect(url, { token: "expiring" });
    const second = await SocketClient.connect(url, { token: "revoked" });
    await time.advance(58_000);
    for (const { socket } of [first, second]) expect(socket.readyState).toBe(socket.OPEN);
    await time.advance(3_000);
    expect((await first.closed).code).toBe(4401);
    expect(second.socket.readyState).toBe(second.socket.OPEN);
    revoked.revokedAtMs = time.now();
    await time.advance(2_000);
    expect((await second.closed).code).toBe(4401);
  });
});
