import { describe, expect, it } from "vitest";
import { Gateway } from "../../../../src/hosts/gateway/gateway.js";
import { openGateway, rawRequest } from "../support/gateway.js";
import { doubling } from "../support/workflows.js";

const tokens = { secret: { role: "r", scopes: ["*"] } };
const authorization = "Bearer secret";

describe("the origins of a gateway", () => {
  it("are all those of its list, on every path, and requests without one", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens, allowedOrigins: ["https://app.example.com", "http://localhost:3000"] },
    });
    for (const path of ["/health", "/metrics", "/workflows"]) {
      const statusFrom = async (origin?: string) =>
        (
          await rawRequest(url + path, {
            headers: { authorization, ...(origin !== undefined && { origin }) },
          })
        ).status;
      expect(await statusFrom()).toBe(200);
      expect(await statusFrom("https://app.example.com")).toBe(200);
      expect(await statusFrom("http://localhost:3000")).toBe(200);
      for (const other of [
        "http://app.example.com",
        "https://app.example.com:8443",
        "https://app.example.com.evil.example",
        "null",
        "http://127.0.0.1",
        "",
      ]) {
        expect({ other, status: await statusFrom(other) }).toEqual({ other, status: 403 });
      }
    }
  });

  it("are any when the list is empty", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens, allowedOrigins: [] },
    });
    const headers = { authorization, origin: "https://anywhere.example" };
    expect((await rawRequest(`${url}/workflows`, { headers })).status).toBe(200);
  });

  describe("without auth", () => {
    const open = (options = {}) =>
      openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), options);

    it("are the gateway's own, by each name of this machine, and requests of programs", async () => {
      const { url } = await open();
      const { port } = new URL(url);
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
        const own = { host, origin: `http://${host.toLowerCase()}` };
        expect((await rawRequest(`${url}/workflows`, { headers: { host } })).status).toBe(200);
        expect((await rawRequest(`${url}/workflows`, { headers: own })).status).toBe(200);
      }
    });

    it("are no others: other ports and names of this machine, editors, files, and hosts that resolve to it", async () => {
      const { url } = await open();
      const { port } = new URL(url);
      const host = `127.0.0.1:${port}`;
      for (const headers of [
        { host: `evil.example:${port}` },
        { host: "localhost.evil.example" },
        { host, origin: "https://evil.example" },
        { host, origin: "null" },
        { host, origin: "" },
        { host, origin: "http://localhost.evil.example" },
        { host, origin: "http://localhost:3000" },
        { host, origin: "http://127.0.0.1" },
        { host, origin: `http://127.9.9.9:${port}` },
        { host, origin: `http://[::1]:${port}` },
        { host, origin: `http://localhost:${port}` },
        { host, origin: `https://127.0.0.1:${port}` },
        { host, origin: "vscode-webview://localhost" },
      ] as Record<string, string>[]) {
        const { status, body } = await rawRequest(`${url}/workflows`, { headers });
        expect({ headers, status, code: JSON.parse(body).error.code }).toEqual({
          headers,
          status: 403,
          code: "FORBIDDEN",
        });
      }
    });

    it("are those of the list as well, whose pages may read the answers", async () => {
      const origin = "http://localhost:5173";
      const { url } = await open({ allowedOrigins: [origin] });
      const { status, headers } = await rawRequest(`${url}/workflows`, { headers: { origin } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ "access-control-allow-origin": origin });
      const other = { origin: "http://localhost:5174" };
      expect((await rawRequest(`${url}/workflows`, { headers: other })).status).toBe(403);
    });
  });

  it("beside auth are those that it lists: a second list is refused", () => {
    const both = { auth: { mode: "token", tokens }, allowedOrigins: ["http://localhost:5173"] } as const;
    expect(() => new Gateway({ ...both, allowedOrigins: [...both.allowedOrigins] })).toThrow(
      /Gateway \(allowedOrigins\)/,
    );
  });

  it("may call from their pages: a browser that asks first gets a yes for listed ones only", async () => {
    const listed = "https://app.example.com";
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens, allowedOrigins: [listed] },
    });
    const path = `${url}/v1/rpc/listRuns`;
    const asking = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const asked = await rawRequest(path, { method: "OPTIONS", headers: { ...asking, origin: listed } });
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": listed,
      "access-control-allow-headers": expect.stringMatching(/authorization.*content-type/i) as string,
    });
    expect(asked.headers).not.toHaveProperty("access-control-allow-credentials");
    const answers = [
      await rawRequest(path, { method: "POST", headers: { authorization, origin: listed } }),
      await rawRequest(path, { method: "POST", headers: { origin: listed } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ "access-control-allow-origin": listed, vary: "Origin" });
    }
    const other = { ...asking, origin: "https://evil.example" };
    const refused = await rawRequest(path, { method: "OPTIONS", headers: other });
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
  });
});
