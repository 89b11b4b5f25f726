import { describe, expect, it } from "vitest";
import { createHttpTool } from "../../../src/tools/index.js";
import { type LoopbackServer, loopbackServer } from "../support/loopback-server.js";

/** A server that answers `/` by a redirect and everything else with its path. */
function redirecting(status: number, location: (self: string) => string): Promise<LoopbackServer> {
  return loopbackServer(({ url, headers }, response) => {
    if (url !== "/") return void response.end(url);
    response.writeHead(status, { location: location(`http://${headers.host}`) }).end("moved");
  });
}

const secrets = {
  auth: { type: "header", name: "x-api-key", value: "k3y" },
  headers: { "x-tenant": "acme", accept: "text/plain" },
} as const;

describe("a redirect", () => {
  it("is followed, credentials included, within one origin", async () => {
    const server = await redirecting(302, () => "/target");
    const output = await createHttpTool().execute({ url: server.url, ...secrets });
    expect(output).toMatchObject({ status: 200, body: "/target" });
    expect(server.received[1]?.headers).toMatchObject({ "x-api-key": "k3y", "x-tenant": "acme" });
  });

  it("carries no header of the caller to another origin, except harmless ones", async () => {
    const other = await loopbackServer();
    const server = await redirecting(307, () => `${other.url}/target`);
    await createHttpTool({ defaultHeaders: { "x-default": "d" } }).execute({ url: server.url, ...secrets });
    const headers = other.received[0]?.headers ?? {};
    expect(headers).toMatchObject({ accept: "text/plain" });
    for (const name of ["x-api-key", "x-tenant", "x-default", "authorization"])
      expect(headers).not.toHaveProperty(name);
  });

  it.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [302, "PUT", "PUT"],
    [307, "POST", "POST"],
    [308, "PATCH", "PATCH"],
  ] as const)("of status %d turns %s into %s", async (status, method, then) => {
    const server = await redirecting(status, () => "/target");
    await createHttpTool().execute({ url: server.url, method, body: { a: 1 } });
    const followed = server.received[1];
    expect(followed).toMatchObject({ method: then, url: "/target" });
    const bodied = then !== "GET" && then !== "HEAD";
    expect(followed?.body).toBe(bodied ? '{"a":1}' : "");
    expect(followed?.headers["content-type"]).toBe(bodied ? "application/json" : undefined);
  });

  it("without a location is a result like any other", async () => {
    const server = await loopbackServer((_, response) => response.writeHead(302).end("where?"));
    expect(await createHttpTool().execute({ url: server.url })).toMatchObject({
      ok: false,
      status: 302,
      body: "where?",
    });
  });

  it("is given up after the twentieth", async () => {
    const server = await loopbackServer((_, response) => response.writeHead(302, { location: "/" }).end());
    await expect(createHttpTool().execute({ url: server.url })).rejects.toMatchObject({
      code: "TOOL_HTTP_FAILED",
      message: expect.stringContaining("redirected more than 20 times"),
    });
    expect(server.received).toHaveLength(21);
  });

  it.each(["file:///etc/passwd", "http://user:pass@127.0.0.1/", "http://["])(
    "to %s is refused",
    async (location) => {
      const server = await redirecting(302, () => location);
      await expect(createHttpTool().execute({ url: server.url })).rejects.toMatchObject({
        code: "TOOL_HTTP_FAILED",
      });
    },
  );
});
