import { describe, expect, it } from "vitest";
import {
  createOpenApiTool,
  createOpenApiToolSync,
  type OpenApiToolsOptions,
} from "../../src/openapi/index.js";
import { startLoopback } from "./support/loopback-server.js";
import { specOf, specOfOne } from "./support/spec-builder.js";

/** Calls GET /things of a document with these servers and returns what arrived. */
async function targetWith(servers: (origin: string) => unknown, options: OpenApiToolsOptions = {}) {
  const server = await startLoopback();
  const spec = specOfOne({}, { servers: servers(server.origin) });
  await createOpenApiToolSync(spec, "call", options).execute({});
  return server.last().target;
}

async function failureWith(servers: unknown, options?: OpenApiToolsOptions): Promise<unknown> {
  return createOpenApiToolSync(specOfOne({}, { servers }), "call", options)
    .execute({})
    .catch((error: unknown) => error);
}

describe("paths are appended to", () => {
  it("the first server of the document", async () => {
    expect(await targetWith((origin) => [{ url: `${origin}/v1` }, { url: "http://other.test" }])).toBe(
      "/v1/things",
    );
  });

  it.each(["/v1/", "/v1//"])("a server that ends in slashes: %s", async (path) => {
    expect(await targetWith((origin) => [{ url: `${origin}${path}` }])).toBe("/v1/things");
  });

  it("a server with the defaults of its variables", async () => {
    const target = await targetWith((origin) => [
      {
        url: `${origin}/{stage}/{version}`,
        variables: { stage: { default: "live", enum: ["live", "test"] }, version: { default: 2 } },
      },
    ]);
    expect(target).toBe("/live/2/things");
  });

  it("a server with a query of its own, which is kept", async () => {
    expect(await targetWith((origin) => [{ url: `${origin}/v1?api-version=3` }])).toBe(
      "/v1/things?api-version=3",
    );
  });

  it("the `baseUrl` option instead, if it is given", async () => {
    const server = await startLoopback();
    const spec = specOfOne({}, { servers: [{ url: "http://unused.test/v1" }] });
    await createOpenApiToolSync(spec, "call", { baseUrl: `${server.origin}/base` }).execute({});
    expect(server.last().target).toBe("/base/things");
  });

  it("the server of the operation, else of its path, else of the document", async () => {
    const server = await startLoopback();
    const at = (path: string) => ({ servers: [{ url: `${server.origin}/${path}` }] });
    const spec = specOf(
      {
        "/a": {
          ...at("path"),
          get: { operationId: "own", ...at("operation") },
          post: { operationId: "shared" },
        },
        "/b": { get: { operationId: "plain" } },
      },
      at("document"),
    );
    for (const id of ["own", "shared", "plain"]) await createOpenApiToolSync(spec, id).execute({});
    expect(server.requests.map(({ target }) => target)).toEqual(["/operation/a", "/path/a", "/document/b"]);
  });

  it("a path without a leading slash as to any other", async () => {
    const server = await startLoopback();
    const spec = specOfOne({}, { path: "things", servers: [{ url: `${server.origin}/v1` }] });
    await createOpenApiToolSync(spec, "call").execute({});
    expect(server.last().target).toBe("/v1/things");
  });

  it("a path with a query of its own as to any other", async () => {
    const server = await startLoopback();
    const spec = specOfOne(
      { parameters: [{ name: "q", in: "query", schema: { type: "string" } }] },
      { path: "/things?kind=all?&x", servers: [{ url: server.origin }] },
    );
    await createOpenApiToolSync(spec, "call").execute({ q: "x" });
    expect(server.last().target).toBe("/things?kind=all?&x&q=x");
  });
});

describe("a document that came from a URL", () => {
  it.each([
    ["/api", "/api/things"],
    ["api", "/specs/api/things"],
    ["../v2", "/v2/things"],
  ])("has its relative server %s resolved against that URL", async (url, target) => {
    const server = await startLoopback((request, response) => {
      response.end(
        request.target === "/specs/openapi.json" ? JSON.stringify(specOfOne({}, { servers: [{ url }] })) : "",
      );
    });
    const tool = await createOpenApiTool(`${server.origin}/specs/openapi.json`, "call");
    await tool.execute({});
    expect(server.last().target).toBe(target);
  });

  it("without servers is served by the root of that URL", async () => {
    const server = await startLoopback((_request, response) => response.end(JSON.stringify(specOfOne())));
    await (await createOpenApiTool(`${server.origin}/specs/openapi.json`, "call")).execute({});
    expect(server.last().target).toBe("/things");
  });

  it("counts as coming from where it was redirected to", async () => {
    const target = await startLoopback((_request, response) => {
      response.end(JSON.stringify(specOfOne({}, { servers: [{ url: "/api" }] })));
    });
    const source = await startLoopback((_request, response) => {
      response.writeHead(302, { location: `${target.origin}/openapi.json` }).end();
    });
    await (await createOpenApiTool(`${source.origin}/latest`, "call")).execute({});
    expect(target.last().target).toBe("/api/things");
  });
});

describe("a call without a usable server", () => {
  const cannotCall = (reason: RegExp) =>
    expect.objectContaining({
      code: "OPENAPI_TOOL_EXECUTION_FAILED",
      retryable: false,
      message: expect.stringMatching(reason),
    });

  it.each([undefined, []])("asks for `baseUrl` when the document names none: %j", async (servers) => {
    expect(await failureWith(servers)).toEqual(cannotCall(/names no server; pass the `baseUrl` option/));
  });

  it("asks for `baseUrl` when the server is relative to nothing", async () => {
    expect(await failureWith([{ url: "/v1" }])).toEqual(cannotCall(/"\/v1" of the document is not absolute/));
  });

  it("refuses other protocols", async () => {
    expect(await failureWith([{ url: "ftp://example.test" }])).toEqual(cannotCall(/has the protocol ftp:/));
  });

  it("refuses credentials in the server URL without repeating them", async () => {
    const error = await failureWith([{ url: "http://user:s3cret@example.test" }]);
    expect(error).toEqual(cannotCall(/holds credentials/));
    expect(String(error)).not.toContain("s3cret");
  });
});

describe("`baseUrl` is refused", () => {
  it.each(["/v1", "example.test", "ftp://example.test", "http://user:s3cret@example.test"])(
    "as %s",
    (baseUrl) => {
      expect(() => createOpenApiToolSync(specOfOne(), "call", { baseUrl })).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          message: expect.stringMatching(/^(?!.*s3cret).*Option baseUrl: expected/),
        }),
      );
    },
  );
});
