import { describe, expect, it } from "vitest";
import { createOpenApiToolSync, type OpenApiToolsOptions } from "../../src/openapi/index.js";
import { json, startLoopback } from "./support/loopback-server.js";
import { specOfBody, specOfOne } from "./support/spec-builder.js";

const credentials: OpenApiToolsOptions = {
  headers: { "x-tenant": "acme", cookie: "session=1" },
  auth: { type: "bearer", token: "token-1" },
};

/** A server whose /things redirects to `location` and whose other paths answer with {}. */
const redirecting = (status: number, location: string) =>
  startLoopback((request, response) => {
    if (!request.target.startsWith("/things")) return json({})(request, response);
    response.writeHead(status, { location }).end();
  });

describe("a redirect within one origin", () => {
  it.each([301, 302, 303, 307, 308])("of status %d is followed with all headers", async (status) => {
    const server = await redirecting(status, "/elsewhere?page=2");
    const tool = createOpenApiToolSync(specOfOne(), "call", { baseUrl: server.origin, ...credentials });
    expect(await tool.execute({})).toEqual({});
    expect(server.last()).toMatchObject({
      method: "GET",
      target: "/elsewhere?page=2",
      headers: { authorization: "Bearer token-1", "x-tenant": "acme" },
    });
  });

  it.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", '{"a":1}'],
    [308, "POST", '{"a":1}'],
  ])("of status %d turns a POST into %s", async (status, method, body) => {
    const server = await redirecting(status, "/elsewhere");
    await createOpenApiToolSync(specOfBody({}), "call", { baseUrl: server.origin }).execute({
      body: { a: 1 },
    });
    expect(server.last()).toMatchObject({ method, body });
    expect(server.last().headers["content-type"]).toBe(body === "" ? undefined : "application/json");
  });

  it.each([301, 302])("of status %d leaves a PUT a PUT", async (status) => {
    const server = await redirecting(status, "/elsewhere");
    const spec = specOfOne({ requestBody: { content: { "application/json": {} } } }, { method: "put" });
    await createOpenApiToolSync(spec, "call", { baseUrl: server.origin }).execute({ body: 1 });
    expect(server.last()).toMatchObject({ method: "PUT", body: "1" });
  });

  it("that never ends fails the call", async () => {
    const server = await startLoopback((_request, response) => {
      response.writeHead(302, { location: "/things" }).end();
    });
    const tool = createOpenApiToolSync(specOfOne(), "call", { baseUrl: server.origin });
    await expect(tool.execute({})).rejects.toThrow(/redirects more than 20 times/);
    expect(server.requests).toHaveLength(21);
  });

  it("without an address is the result", async () => {
    const server = await startLoopback((_request, response) => response.writeHead(302).end());
    const tool = createOpenApiToolSync(specOfOne(), "call", { baseUrl: server.origin });
    expect(await tool.execute({})).toMatchObject({ error: true, httpStatus: 302 });
  });
});

describe("a redirect to another origin", () => {
  it("carries none of the operator's headers, credentials and keys", async () => {
    const other = await startLoopback();
    const server = await redirecting(307, `${other.origin}/elsewhere`);
    const parameters = [{ name: "x-mine", in: "header", schema: { type: "string" } }];
    for (const auth of [
      credentials.auth,
      { type: "apiKey", in: "header", name: "x-api-key", value: "key-1" },
      { type: "apiKey", in: "query", name: "api_key", value: "key-1" },
    ] as OpenApiToolsOptions["auth"][]) {
      const tool = createOpenApiToolSync(specOfOne({ parameters }), "call", {
        baseUrl: server.origin,
        ...credentials,
        ...(auth !== undefined && { auth }),
      });
      await tool.execute({ "x-mine": "1" });
      const { target, headers } = other.last();
      expect(target).toBe("/elsewhere");
      for (const name of ["authorization", "x-tenant", "cookie", "x-api-key", "x-mine"]) {
        expect(headers).not.toHaveProperty(name);
      }
    }
  });

  it("does not get them back on the way home", async () => {
    const home = await startLoopback((request, response) => {
      if (request.target === "/home") return json({})(request, response);
      response.writeHead(302, { location: `${away.origin}/away` }).end();
    });
    const away = await startLoopback((_request, response) => {
      response.writeHead(302, { location: `${home.origin}/home` }).end();
    });
    const tool = createOpenApiToolSync(specOfOne(), "call", { baseUrl: home.origin, ...credentials });
    expect(await tool.execute({})).toEqual({});
    expect(home.last().target).toBe("/home");
    expect(home.last().headers).not.toHaveProperty("authorization");
  });

  it("still says which kind of body it carries", async () => {
    const other = await startLoopback();
    const server = await redirecting(308, `${other.origin}/elsewhere`);
    await createOpenApiToolSync(specOfBody({}), "call", { baseUrl: server.origin }).execute({ body: 1 });
    expect(other.last()).toMatchObject({
      method: "POST",
      body: "1",
      headers: { "content-type": "application/json" },
    });
  });

  it.each(["file:///etc/hosts", "data:text/plain,x", "http://["])("is refused for %s", async (location) => {
    const server = await redirecting(302, location);
    const tool = createOpenApiToolSync(specOfOne(), "call", { baseUrl: server.origin });
    await expect(tool.execute({})).rejects.toMatchObject({
      code: "OPENAPI_TOOL_EXECUTION_FAILED",
      message: expect.stringContaining("failed: it redirects to"),
    });
  });
});
