import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { runWorkflow, ServiceDb } from "../../../src/index.js";
import { Gateway, type GatewayOptions } from "../../../src/hosts/gateway/index.js";
import { readVersion } from "../../../src/process/installation.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { bearer, openGateway, rawRequest } from "./support/gateway.js";
import { asking, doubling } from "./support/workflows.js";

const nothing = () => {};
const auth: GatewayOptions["auth"] = { mode: "token", tokens: { secret: { role: "r", scopes: [] } } };

describe("the options of a gateway", () => {
  it("protocol and features are what /health tells everybody, and the workspace only who is known", async () => {
    const { url, folder, call } = await openGateway(nothing, { auth, protocol: 3, features: ["runs"] });
    const told = { ok: true, ready: true, protocol: 3, features: ["runs"], version: readVersion() };
    const health = async (headers: Record<string, string>) =>
      JSON.parse((await rawRequest(`${url}/health`, { headers })).body) as unknown;
    expect(await health({})).toEqual(told);
    expect(await health(bearer("wrong"))).toEqual(told);
    expect(await health(bearer("secret"))).toEqual({ ...told, workspaceRoot: folder });
    expect(await call("health", {}, bearer("secret"))).toMatchObject({ ...told, workspaceRoot: folder });
    const open = await openGateway(nothing);
    expect(await (await fetch(`${open.url}/health`)).json()).toEqual({
      ok: true,
      ready: true,
      protocol: 1,
      features: ["streaming", "runs"],
      version: readVersion(),
    });
  });

  it("maxBodyBytes limits what is read of a request", async () => {
    const { rpc, url } = await openGateway(nothing, { maxBodyBytes: 200 });
    const params = { workflow: "x".repeat(300) };
    expect(await rpc("launchRun", params)).toMatchObject({
      status: 413,
      body: { error: { code: "PAYLOAD_TOO_LARGE", details: { maxBodyBytes: 200 } } },
    });
    const body = JSON.stringify({ method: "launchRun", params });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/rpc`, { method: "POST", body, headers })).status).toBe(413);
    expect((await rpc("listRuns")).status).toBe(200);
  });

  it("headersTimeout ends connections that do not say what they want", async () => {
    const { server, url } = await openGateway(nothing, { headersTimeout: 50, requestTimeout: 70 });
    expect({ headers: server.headersTimeout, request: server.requestTimeout }).toEqual({
      headers: 50,
      request: 70,
    });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET /health HTTP/1.1\r\nHost: ");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    await once(socket, "close");
    expect(received).toContain("408");
  });

  it("workspaceRoot is where its database, its runs and their tools are", async () => {
    const folder = temporaryFolder();
    const elsewhere = asking(folder);
    await runWorkflow(elsewhere, { runId: "earlier", input: {} });
    const twice = doubling(folder, { db: "twice.db" });
    const { call, rpc, until } = await openGateway((gateway) => gateway.register("twice", twice), { folder });
    expect(await call("listRuns")).toMatchObject({ runs: [{ runId: "earlier", workflowKey: null }] });
    expect(await call("getRun", { runId: "earlier" })).toMatchObject({ status: "waiting-approval" });
    expect(await call("listApprovals")).toMatchObject({ approvals: [{ runId: "earlier" }] });
    await call("submitApproval", { runId: "earlier", nodeId: "gate", approved: true });
    expect(await rpc("resumeRun", { runId: "earlier" })).toMatchObject({
      status: 409,
      body: { error: { code: "RUN_NOT_RESUMABLE", details: { workflowName: "ask" } } },
    });
    const { runId } = (await call("launchRun", { workflow: "twice", input: { n: 1 } })) as { runId: string };
    await until(runId, "finished");
    expect((await new ServiceDb(twice.db).store.getRun(runId))?.config).toMatchObject({ rootDir: folder });
  });

  it("defaults.cliAgentTools is kept with the runs that it launches", async () => {
    const folder = temporaryFolder();
    const twice = doubling(folder);
    const { call } = await openGateway((gateway) => gateway.register("twice", twice), {
      folder,
      defaults: { cliAgentTools: "explicit-only" },
    });
    const { runId } = (await call("launchRun", { workflow: "twice", input: { n: 1 } })) as { runId: string };
    const { store } = new ServiceDb(twice.db);
    expect((await store.getRun(runId))?.config.cliAgentToolsDefault).toBe("explicit-only");
  });

  it.each<[GatewayOptions, string]>([
    [{ protocol: 0 }, "protocol"],
    [{ features: "runs" as never }, "features"],
    [{ workspaceRoot: "/there/is/no/such/folder" }, "workspaceRoot"],
    [{ auth: { mode: "basic" } as never }, "auth.mode"],
    [{ auth: {} as never }, "auth.mode"],
    [{ auth: { mode: "token" } as never }, "tokens"],
    [{ auth: { mode: "token", tokens: { "a b": { role: "r", scopes: [] } } } }, "tokens"],
    [{ auth: { mode: "token", tokens: { a: { scopes: [] } as never } } }, "role"],
    [{ auth: { mode: "token", tokens: {}, allowedOrigins: ["app.example.com"] } }, "allowedOrigins"],
    [{ auth: { mode: "token", tokens: {}, allowedOrigins: ["https://app.example.com/"] } }, "allowedOrigins"],
    [{ auth: { mode: "token", tokens: {}, allowedOrigins: ["null"] } }, "allowedOrigins"],
    [{ auth: { mode: "jwt", issuer: "i", audience: "a" } as never }, "secret"],
    [{ auth: { mode: "jwt", issuer: "i", audience: "a", secret: "" } }, "secret"],
    [{ auth: { mode: "token", tokens: { "": { role: "r", scopes: [] } } } }, 'received ""'],
    ...["service:auto", "gateway", "cron:gateway", "webhook:x", "token:t", "Service:auto"].map(
      (userId): [GatewayOptions, string] => [
        { auth: { mode: "token", tokens: { a: { role: "r", scopes: [], userId } } } },
        "userId",
      ],
    ),
    ...["/*", "/:a", "/a//b", "/a/{b}", "/a?", "/../b", "/health", "/health/", "/v1/x", "/_ui"].flatMap(
      (path): [GatewayOptions, string][] => [
        [{ ui: { entry: "app.ts", path } }, "path"],
        [{ operatorUi: { path } }, "path"],
      ],
    ),
    [{ auth: { mode: "trusted-proxy", trustedHeaders: [] } }, "trustedHeaders"],
    [{ auth: { mode: "trusted-proxy", trustedHeaders: ["a", "b", "c", "d"] } }, "trustedHeaders"],
    [{ ui: {} as never }, "entry"],
    [{ operatorUi: { path: "console" } }, "path"],
    [{ maxConnections: 0 }, "maxConnections"],
    [{ eventWindowSize: 1.5 }, "eventWindowSize"],
    [{ outOfProcessEventBridge: 1 as never }, "outOfProcessEventBridge"],
    [{ requestTimeout: -1 }, "requestTimeout"],
  ])("that do not fit are refused by name: %j", (options, name) => {
    expect(() => new Gateway(options)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(name) }),
    );
  });

  it("show no token or secret when they are refused", () => {
    const tokens = { "correct horse": { role: "r", scopes: [] } };
    expect(() => new Gateway({ auth: { mode: "token", tokens } })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("horse") }),
    );
  });
});
