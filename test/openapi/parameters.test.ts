import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiToolSync, type OpenApiSpec, type OpenApiWarning } from "../../src/openapi/index.js";
import { startLoopback } from "./support/loopback-server.js";
import { specOf, specOfOne } from "./support/spec-builder.js";

const inPath = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const inQuery = (name: string, more = {}) => ({ name, in: "query", schema: { type: "string" }, ...more });
const inHeader = (name: string, more = {}) => ({ name, in: "header", schema: { type: "string" }, ...more });

async function call(spec: OpenApiSpec, input: Record<string, unknown>) {
  const server = await startLoopback();
  await createOpenApiToolSync(spec, "call", { baseUrl: server.origin }).execute(input);
  return server.last();
}

function inputOf(spec: OpenApiSpec) {
  return z.toJSONSchema(createOpenApiToolSync(spec, "call").inputSchema, { io: "input" });
}

const failure = (reason: RegExp) =>
  expect.objectContaining({
    code: "OPENAPI_TOOL_EXECUTION_FAILED",
    retryable: false,
    message: expect.stringMatching(reason),
  });

describe("the parameters of a path", () => {
  const item = {
    parameters: [inQuery("page", { schema: { type: "integer" } }), inHeader("X-Trace")],
    get: {
      operationId: "call",
      parameters: [inQuery("page", { required: true }), inHeader("x-trace", { required: true })],
    },
    post: { operationId: "other" },
  };

  it("are overridden by those of the operation, by name and place; headers in any case", () => {
    expect(inputOf(specOf({ "/a": item }))).toMatchObject({
      properties: { page: { type: "string" }, "x-trace": { type: "string" } },
      required: ["page", "x-trace"],
    });
  });

  it("hold for its other operations", () => {
    const tool = createOpenApiToolSync(specOf({ "/a": item }), "other");
    expect(z.toJSONSchema(tool.inputSchema).properties).toHaveProperty("X-Trace");
  });
});

describe("a path parameter", () => {
  it("is required whatever the document says", () => {
    const spec = specOfOne({ parameters: [{ ...inPath("id"), required: false }] }, { path: "/things/{id}" });
    expect(inputOf(spec).required).toEqual(["id"]);
  });

  it("is a string when the document forgot to declare it", async () => {
    const spec = specOfOne({}, { path: "/things/{id}/parts/{part}" });
    expect(inputOf(spec).required).toEqual(["id", "part"]);
    expect((await call(spec, { id: "a", part: "b" })).target).toBe("/things/a/parts/b");
  });

  it("is left out when the path has no place for it", () => {
    expect(inputOf(specOfOne({ parameters: [inPath("ghost")] })).properties).toEqual({});
  });

  it("fills every place of its name", async () => {
    expect((await call(specOfOne({}, { path: "/{v}/x/{v}" }), { v: "1" })).target).toBe("/1/x/1");
  });

  it("is not expanded again when its value looks like a placeholder", async () => {
    const spec = specOfOne({}, { path: "/{a}/{b}" });
    expect((await call(spec, { a: "{b}", b: "$&" })).target).toBe("/%7Bb%7D/%24%26");
  });

  it.each(["..", "."])("cannot lead to another path: %j", async (id) => {
    const spec = specOfOne({}, { path: "/things/{id}/parts" });
    await expect(call(spec, { id })).rejects.toEqual(failure(/"\." or "\.\." segment/));
  });

  it("may hold dots, slashes and encoded dots as data", async () => {
    const spec = specOfOne({}, { path: "/things/{id}" });
    expect((await call(spec, { id: "../x" })).target).toBe("/things/..%2Fx");
    expect((await call(spec, { id: "%2e%2e" })).target).toBe("/things/%252e%252e");
    expect((await call(spec, { id: "...a" })).target).toBe("/things/...a");
  });

  it("cannot be empty", async () => {
    await expect(call(specOfOne({}, { path: "/things/{id}" }), { id: "" })).rejects.toEqual(
      failure(/path parameter "id" is empty/),
    );
  });
});

describe("a header parameter", () => {
  it.each([
    "Accept",
    "Content-Type",
    "Authorization",
    "Cookie",
    "Host",
    "Content-Length",
    "Transfer-Encoding",
    "Proxy-Authorization",
  ])("%s is not taken from the model", (name) => {
    expect(inputOf(specOfOne({ parameters: [inHeader(name, { required: true })] })).properties).toEqual({});
  });

  it("is left out when it is null or missing", async () => {
    const spec = specOfOne({ parameters: [inHeader("x-a", { schema: {} }), inHeader("x-b")] });
    expect((await call(spec, { "x-a": null })).headers).not.toHaveProperty("x-a");
  });

  it.each(["a\nb", "a\r\nx-evil: 1", "漢"])(
    "with a value no header can hold fails the call: %j",
    async (value) => {
      await expect(call(specOfOne({ parameters: [inHeader("x-a")] }), { "x-a": value })).rejects.toEqual(
        failure(/header "x-a" cannot carry this value/),
      );
    },
  );
});

describe("the property of the input for a parameter", () => {
  it("has its name", () => {
    expect(
      Object.keys(inputOf(specOfOne({ parameters: [inQuery("page.size-max")] })).properties ?? {}),
    ).toEqual(["page.size-max"]);
  });

  it("has a name providers accept, and says where the value goes", async () => {
    const spec = specOfOne({
      parameters: [inQuery("filter[name]"), inQuery("$top", { description: "How many." }), inQuery("日本")],
    });
    expect(inputOf(spec).properties).toMatchObject({
      filter_name: { description: 'Sent as the query parameter "filter[name]".' },
      top: { description: 'How many. Sent as the query parameter "$top".' },
      parameter: { description: 'Sent as the query parameter "日本".' },
    });
    const { target } = await call(spec, { filter_name: "a", top: "5", parameter: "x" });
    expect(target).toBe("/things?filter%5Bname%5D=a&%24top=5&%E6%97%A5%E6%9C%AC=x");
  });

  it("is shortened to 64 characters", () => {
    const [key] = Object.keys(
      inputOf(specOfOne({ parameters: [inQuery("q".repeat(100))] })).properties ?? {},
    );
    expect(key).toBe("q".repeat(64));
  });

  it("tells parameters of one name apart by their place, the path first", async () => {
    const spec = specOfOne(
      { parameters: [inHeader("id"), inQuery("id"), inPath("id")] },
      { path: "/things/{id}" },
    );
    const request = await call(spec, { id: "p", id_query: "q", id_header: "h" });
    expect(request.target).toBe("/things/p?id=q");
    expect(request.headers["id"]).toBe("h");
  });

  it("stays unique when the suffix is a parameter too", async () => {
    const spec = specOfOne(
      { parameters: [inQuery("id_query"), inQuery("id"), inPath("id")] },
      { path: "/{id}" },
    );
    expect((await call(spec, { id: "p", id_query: "a", id_query_2: "b" })).target).toBe("/p?id_query=a&id=b");
  });

  it("takes no property that no parameter has", async () => {
    await expect(call(specOfOne({ parameters: [inQuery("q")] }), { q: "x", extra: 1 })).rejects.toEqual(
      failure(/input does not fit: .*extra/),
    );
  });
});

describe("the description of a parameter", () => {
  it("is its own, else the one of its schema", () => {
    const schema = { type: "string", description: "of the schema" };
    const spec = specOfOne({
      parameters: [inQuery("a", { schema, description: "its own" }), inQuery("b", { schema })],
    });
    expect(inputOf(spec).properties).toMatchObject({
      a: { description: "its own" },
      b: { description: "of the schema" },
    });
  });

  it("says that it is deprecated", () => {
    const spec = specOfOne({ parameters: [inQuery("a", { deprecated: true, description: "Old." })] });
    expect(inputOf(spec).properties).toMatchObject({ a: { description: "Deprecated. Old." } });
  });
});

describe("a parameter entry", () => {
  it("may be a reference, also through another reference", async () => {
    const components = {
      parameters: { Page: inQuery("page"), Alias: { $ref: "#/components/parameters/Page" } },
    };
    const spec = specOfOne({ parameters: [{ $ref: "#/components/parameters/Alias" }] }, { components });
    expect((await call(spec, { page: "2" })).target).toBe("/things?page=2");
  });

  it("is required in the query when the document says so", async () => {
    await expect(call(specOfOne({ parameters: [inQuery("q", { required: true })] }), {})).rejects.toEqual(
      failure(/input does not fit: q: /),
    );
  });

  it("that is marked read-only for bodies is still a parameter", () => {
    const spec = specOfOne({ parameters: [inQuery("id", { schema: { type: "string", readOnly: true } })] });
    expect(inputOf(spec).properties).toHaveProperty("id");
  });

  it.each([
    [
      { $ref: "#/components/parameters/Gone" },
      /#\/components\/parameters\/Gone is not part of this document/,
    ],
    [{ in: "query" }, /it has no name/],
    [{ name: "x", in: "body" }, /no place of its own/],
    [{ name: "x:y", in: "header" }, /"x:y" is no header name/],
    [null, /it has no name/],
  ])("%j is left out and reported", (entry, message) => {
    const warnings: OpenApiWarning[] = [];
    createOpenApiToolSync(specOfOne({ parameters: [entry] }), "call", { onWarning: (w) => warnings.push(w) });
    expect(warnings).toEqual([
      { kind: "parameter", operationId: "call", message: expect.stringMatching(message) },
    ]);
  });

  it("whose references only lead to each other is left out and reported", () => {
    const components = {
      parameters: { A: { $ref: "#/components/parameters/B" }, B: { $ref: "#/components/parameters/A" } },
    };
    const warnings: OpenApiWarning[] = [];
    const spec = specOfOne({ parameters: [{ $ref: "#/components/parameters/A" }] }, { components });
    createOpenApiToolSync(spec, "call", { onWarning: (w) => warnings.push(w) });
    expect(warnings.map(({ kind }) => kind)).toEqual(["parameter"]);
  });
});
