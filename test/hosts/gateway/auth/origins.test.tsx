import { describe, expect, it } from "vitest";
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

  it("are those of this machine without auth, and so is the host that is asked for", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const { port } = new URL(url);
    for (const headers of [{ host: `localhost:${port}` }, { origin: "http://localhost:5173" }, {}]) {
      expect(
        (await rawRequest(`${url}/workflows`, { headers: headers as Record<string, string> })).status,
      ).toBe(200);
    }
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: `localhost.evil.example` },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost.evil.example" },
    ] as Record<string, string>[]) {
      const { status, body } = await rawRequest(`${url}/workflows`, { headers });
      expect({ headers, status, code: JSON.parse(body).error.code }).toEqual({
        headers,
        status: 403,
        code: "FORBIDDEN",
      });
    }
  });

  it("may call from their pages: a browser that asks first is told so, of listed ones only", async () => {
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
