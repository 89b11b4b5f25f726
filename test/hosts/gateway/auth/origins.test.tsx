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
});
