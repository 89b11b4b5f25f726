import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createOpenApiToolSync,
  type OpenApiAuth,
  type OpenApiToolsOptions,
} from "../../src/openapi/index.js";
import { startLoopback } from "./support/loopback-server.js";
import { specOfOne } from "./support/spec-builder.js";

/** Calls an operation with these parameters under these options; returns the request that arrived. */
async function requestWith(
  options: OpenApiToolsOptions,
  { parameters = [], input = {} }: { parameters?: unknown[]; input?: Record<string, unknown> } = {},
) {
  const server = await startLoopback();
  const tool = createOpenApiToolSync(specOfOne({ parameters }), "call", {
    baseUrl: server.origin,
    ...options,
  });
  await tool.execute(input);
  return server.last();
}

describe("every request carries", () => {
  it("the headers of the options", async () => {
    const { headers } = await requestWith({ headers: { "X-Tenant": "acme", "User-Agent": "tests" } });
    expect(headers).toMatchObject({ "x-tenant": "acme", "user-agent": "tests" });
  });

  it("a bearer token", async () => {
    const { headers } = await requestWith({ auth: { type: "bearer", token: "tok-123" } });
    expect(headers.authorization).toBe("Bearer tok-123");
  });

  it("basic credentials in UTF-8", async () => {
    const { headers } = await requestWith({ auth: { type: "basic", username: "ada", password: "pä:ss" } });
    const encoded = headers.authorization?.replace("Basic ", "") ?? "";
    expect(Buffer.from(encoded, "base64").toString("utf8")).toBe("ada:pä:ss");
  });

  it("a key in a header", async () => {
    const { headers } = await requestWith({
      auth: { type: "apiKey", name: "X-API-Key", value: "k-1", in: "header" },
    });
    expect(headers["x-api-key"]).toBe("k-1");
  });

  it("a key in the query, behind the parameters", async () => {
    const { target } = await requestWith(
      { auth: { type: "apiKey", name: "api key", value: "k&1", in: "query" } },
      { parameters: [{ name: "q", in: "query", schema: { type: "string" } }], input: { q: "x" } },
    );
    expect(target).toBe("/things?q=x&api%20key=k%261");
  });

  it("a bearer token rather than an Authorization header of the options", async () => {
    const { headers } = await requestWith({
      headers: { authorization: "Basic old" },
      auth: { type: "bearer", token: "new-token" },
    });
    expect(headers.authorization).toBe("Bearer new-token");
  });

  it("an Accept header that asks for JSON, unless the options say otherwise", async () => {
    expect((await requestWith({})).headers.accept).toMatch(/^application\/json/);
    expect((await requestWith({ headers: { accept: "text/csv" } })).headers.accept).toBe("text/csv");
  });
});

describe("what the operator sets, a model cannot override", () => {
  const tenant = { name: "x-tenant", in: "header", required: true, schema: { type: "string" } };
  const key = { name: "api_key", in: "query", required: true, schema: { type: "string" } };
  const queryKey: OpenApiAuth = { type: "apiKey", name: "api_key", value: "real", in: "query" };

  it("a header, in every case that the document writes it in", () => {
    const tool = createOpenApiToolSync(specOfOne({ parameters: [tenant] }), "call", {
      headers: { "X-Tenant": "acme" },
    });
    expect(tool.inputSchema.safeParse({}).success).toBe(true);
    expect(tool.inputSchema.safeParse({ "x-tenant": "evil" }).success).toBe(false);
  });

  it("a key in the query", () => {
    const tool = createOpenApiToolSync(specOfOne({ parameters: [key] }), "call", { auth: queryKey });
    expect(tool.inputSchema.safeParse({}).success).toBe(true);
    expect(tool.inputSchema.safeParse({ api_key: "evil" }).success).toBe(false);
  });

  it("a key in the query, not even through an object that is spread over the query", async () => {
    const { target } = await requestWith(
      { auth: queryKey },
      {
        parameters: [{ name: "filter", in: "query", schema: { type: "object" } }],
        input: { filter: { color: "red", api_key: "evil" } },
      },
    );
    expect(target).toBe("/things?color=red&api_key=real");
  });

  it("a key in the query, not even through a value with reserved characters", async () => {
    const { target } = await requestWith(
      { auth: queryKey },
      {
        parameters: [{ name: "q", in: "query", allowReserved: true, schema: { type: "string" } }],
        input: { q: "x&api_key=evil#" },
      },
    );
    expect(target).toBe("/things?q=x%26api_key=evil%23&api_key=real");
  });

  it("but without it, the model sets the parameter", async () => {
    const { target, headers } = await requestWith(
      {},
      { parameters: [tenant, key], input: { "x-tenant": "acme", api_key: "mine" } },
    );
    expect(target).toBe("/things?api_key=mine");
    expect(headers["x-tenant"]).toBe("acme");
  });
});

describe("options that cannot be used are refused with INVALID_INPUT", () => {
  const secret = "s3cret-value";
  const cases: [string, string, unknown][] = [
    ["a token with a line break", "auth.token", { auth: { type: "bearer", token: `${secret}\nx` } }],
    ["an empty token", "auth.token", { auth: { type: "bearer", token: "" } }],
    ["a token that is undefined", "auth.token", { auth: { type: "bearer", token: undefined } }],
    ["a key without a place", "auth.in", { auth: { type: "apiKey", name: "k", value: secret } }],
    [
      "a key header that is no header name",
      "auth",
      { auth: { type: "apiKey", name: "a b", value: secret, in: "header" } },
    ],
    ["a kind of auth nobody knows", "auth.type", { auth: { type: "digest", secret } }],
    ["a header that is undefined", "headers.x", { headers: { x: undefined } }],
    ["a header value with a line break", "headers.x-key", { headers: { "x-key": `${secret}\r\ny: z` } }],
    ["a header name with a space", "headers.x key", { headers: { "x key": secret } }],
    ["a time limit of zero", "timeoutMs", { timeoutMs: 0 }],
    ["an observer that is no function", "onCall", { onCall: "log" }],
    ["an unknown option", "basUrl", { basUrl: "http://example.test" }],
  ];

  it.each(cases)("%s", (_name, path, options) => {
    const make = () => createOpenApiToolSync(specOfOne(), "call", options as OpenApiToolsOptions);
    expect(make).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: expect.objectContaining({ option: path }),
      }),
    );
    try {
      make();
    } catch (error) {
      expect(inspect(error, { depth: 10 })).not.toContain(secret);
    }
  });
});

describe("a base URL that cannot be used", () => {
  it.each(["http:ada:pa55@host", "ada:pa55@host", "https://ada:pa/55@host", "ftp://host/?key=pa55"])(
    "is refused without being shown, since it may hold a credential: %s",
    (baseUrl) => {
      const build = () => createOpenApiToolSync(specOfOne(), "call", { baseUrl });
      expect(build).toThrow(/Option baseUrl: expected an absolute http or https URL .* received a string\./);
      expect(build).not.toThrow(/55/);
    },
  );
});
