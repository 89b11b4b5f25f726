import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { Script } from "node:vm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SchemaObject } from "../../src/openapi/spec.js";
import {
  createOpenApiTools,
  createOpenApiToolsSync,
  type OpenApiToolsOptions,
} from "../../src/openapi/index.js";
import { sendGuarded } from "../../src/network/send-guarded.js";
import { loopbackServer } from "../tools/support/loopback-server.js";

const HEAD = "openapi: 3.0.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://api.example'}]\n";

/** A document whose only operation is at `server`. */
const documentAt = (server: string) => ({
  openapi: "3.0.0",
  info: { title: "t", version: "1" },
  servers: [{ url: server }],
  paths: { "/me": { get: { operationId: "me", responses: {} } } },
});

const CREDENTIALS: OpenApiToolsOptions[] = [
  { auth: { type: "bearer", token: "operator-token-1" } },
  { auth: { type: "basic", username: "u", password: "p" } },
  { auth: { type: "apiKey", name: "key", value: "operator-key-1", in: "query" } },
  { headers: { "x-api-key": "k" } },
  { headers: { cookie: "session=1" } },
];

describe("credentials for a document that names the host itself", () => {
  it.each(CREDENTIALS)("are refused without a baseUrl: %j", (options) => {
    const make = () => createOpenApiToolsSync(documentAt("https://evil.example"), options);
    expect(make).toThrow(/baseUrl.*https:\/\/evil\.example/);
    expect(() =>
      createOpenApiToolsSync(documentAt("https://evil.example"), {
        ...options,
        baseUrl: "https://api.example",
      }),
    ).not.toThrow();
  });

  it("are taken where the caller has asked that very origin for the document", async () => {
    const own = await loopbackServer(({ headers }, response) =>
      response.end(JSON.stringify(documentAt(`http://${headers.host}/v1`))),
    );
    await expect(createOpenApiTools(`${own.url}/openapi.json`, CREDENTIALS[0])).resolves.toHaveProperty("me");
  });

  it("are refused when the download was redirected to another host that names itself", async () => {
    const evil = await loopbackServer(({ headers }, response) =>
      response.end(JSON.stringify(documentAt(`http://${headers.host}`))),
    );
    const own = await loopbackServer((_, response) => response.writeHead(302, { location: evil.url }).end());
    await expect(createOpenApiTools(own.url, CREDENTIALS[0])).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("are refused when only one operation has a host of its own", () => {
    const document = documentAt("https://api.example");
    Object.assign(document.paths["/me"].get, { servers: [{ url: "https://evil.example" }] });
    const options = { ...CREDENTIALS[0] };
    expect(() => createOpenApiToolsSync(document, options)).toThrow(/baseUrl/);
  });
});

describe("a document that is a bomb", () => {
  const loading = (text: string) => () => createOpenApiToolsSync(text);

  it.each<[string, string]>([
    ["nested lists in YAML", `${HEAD}x: ${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    [
      "nested maps in YAML",
      `${HEAD}x:\n${Array.from({ length: 2_500 }, (_, i) => `${" ".repeat(i + 1)}a:`).join("\n")}`,
    ],
    ["nested lists in JSON", `{"openapi":"3.0.0","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    [
      "aliases of aliases",
      `${HEAD}a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefghij"]
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[index]}`).join(",")}]`)
        .join("\n")}\n`,
    ],
    [
      "merges of merges",
      `${HEAD}m0: &m0 {x: 1}\n${Array.from({ length: 40 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: [${Array(40).fill(`*m${i}`).join(",")}]}`).join("\n")}\n`,
    ],
    ["text without end", `${HEAD}x: "${"y".repeat(17 * 1_048_576)}"`],
  ])("made of %s is refused", (_what, text) => {
    let error: unknown;
    try {
      loading(text)();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "OPENAPI_SPEC_LOAD_FAILED" });
  });

  it("of twenty thousand keys takes time that grows with their number, not with its square", () => {
    const document = (keys: number) =>
      `${HEAD}paths: {}\ncomponents:\n  schemas:\n${Array.from({ length: keys }, (_, i) => `    S${i}: {type: string}`).join("\n")}\n`;
    const cost = (keys: number) => {
      const text = document(keys);
      const before = process.cpuUsage();
      createOpenApiToolsSync(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    cost(2_000);
    expect(cost(20_000)).toBeLessThan(40 * cost(2_000));
  });

  it("still has its keys checked to be unique", () => {
    expect(loading(`${HEAD}paths:\n  /a: {}\n  /a: {}\n`)).toThrow(
      /"\/a" twice in one map at line 6, column 3/,
    );
  });

  it.each([
    ["packed", gzipSync(Buffer.alloc(80 * 1_048_576)), { "content-encoding": "gzip" }],
    ["plain", Buffer.alloc(65 * 1_048_576, "#"), {}],
  ])("and comes %s over the network is given up at the limit", async (_how, bytes, headers) => {
    const server = createServer((_, response) => response.writeHead(200, headers).end(bytes));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(createOpenApiTools(url)).rejects.toThrow(/is larger than 64 MiB/);
  });

  it("and is packed without end, unpacking to nothing, is given up by what has arrived", async () => {
    const empty = gzipSync(Buffer.alloc(0));
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.concat(Array(1_000).fill(empty))));
        response.once("drain", more);
      };
      response.on("error", () => undefined);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const { body } = await sendGuarded(
      { url, method: "GET", headers: new Headers() },
      { signal: AbortSignal.timeout(30_000), refused: "none", maxWireBytes: 1_048_576 },
    );
    await expect(body.toArray()).rejects.toThrow(/larger than 1048576 bytes/);
  });
});

describe("a pattern of a document", () => {
  const tools = (schema: SchemaObject) =>
    createOpenApiToolsSync({
      ...documentAt("http://127.0.0.1:1"),
      paths: {
        "/p": { post: { operationId: "p", requestBody: { content: { "application/json": { schema } } } } },
      },
    });
  /** Cuts the seconds that a check may take; nothing that runs for ever ends in either time. */
  function hurried() {
    const { runInThisContext } = Script.prototype;
    const spy = vi.spyOn(Script.prototype, "runInThisContext").mockImplementation(function (
      this: Script,
      options,
    ) {
      expect(options?.timeout).toBeLessThanOrEqual(2_000);
      return runInThisContext.call(this, { ...options, timeout: 50 }) as unknown;
    });
    onTestFinished(() => spy.mockRestore());
    return spy;
  }
  const slow = "^(a+)+$";
  const poison = `${"a".repeat(40)}!`;

  it.each<[string, SchemaObject, unknown]>([
    ["a string", { type: "string", pattern: slow }, poison],
    ["a string within a union", { anyOf: [{ type: "string", pattern: slow }, { type: "number" }] }, poison],
    ["names of properties", { type: "object", propertyNames: { pattern: slow } }, { [poison]: 1 }],
    [
      "patterns of properties",
      { type: "object", patternProperties: { [slow]: {} }, additionalProperties: false },
      { [poison]: 1 },
    ],
    ["items that a list contains", { type: "array", contains: { type: "string", pattern: slow } }, [poison]],
  ])("of %s that would run for ever ends in a refusal", async (_where, schema, body) => {
    const tool = tools(schema)["p"];
    const checks = hurried();
    // As the SDK checks what a model has sent, and as the tool does.
    expect(tool?.inputSchema.safeParse({ body })).toMatchObject({ success: false });
    await expect(tool?.execute({ body })).rejects.toMatchObject({ code: "OPENAPI_TOOL_EXECUTION_FAILED" });
    expect(checks.mock.calls.length).toBeGreaterThanOrEqual(2);
  });
});

it("a document cannot make a tool send headers that belong to the transport", async () => {
  const server = await loopbackServer();
  const tool = createOpenApiToolsSync({
    ...documentAt(server.url),
    paths: {
      "/p": {
        get: { operationId: "p", parameters: [{ name: "Host", in: "header", schema: { type: "string" } }] },
      },
    },
  })["p"];
  await expect(tool?.execute({ Host: "other.example" })).rejects.toThrow(/Unrecognized key/);
  expect(server.received).toEqual([]);
});

it("a document cannot point a tool at the metadata service", async () => {
  const tool = createOpenApiToolsSync(documentAt("http://169.254.169.254/latest"))["me"];
  await expect(tool?.execute({})).rejects.toThrow(/closed to tools/);
});
