import { describe, expect, it } from "vitest";
import { guardedLookup } from "../../src/network/guarded-lookup.js";
import { isRefusedAddress, isRefusedHost } from "../../src/network/refused-addresses.js";
import { createHttpTool, defineTool } from "../../src/tools/index.js";
import { connectionCounter, loopbackServer } from "../tools/support/loopback-server.js";
import { z } from "zod";

const KEY = "operator-key-0123456789";

describe("the operator's default headers", () => {
  it("do not go to an origin that the model names", async () => {
    const api = await loopbackServer();
    const evil = await loopbackServer();
    const tool = createHttpTool({ defaultHeaders: { "x-api-key": KEY }, allowedOrigins: [api.url] });
    await tool.execute({ url: `${evil.url}/collect` });
    await tool.execute({ url: `${api.url}/orders` });
    expect(evil.received[0]?.headers).not.toHaveProperty("x-api-key");
    expect(api.received[0]?.headers).toHaveProperty("x-api-key", KEY);
  });

  it("do not follow a redirect out of their origin, not even to an allowed one", async () => {
    const other = await loopbackServer();
    const api = await loopbackServer((_, response) =>
      response.writeHead(307, { location: `${other.url}/taken` }).end(),
    );
    const tool = createHttpTool({
      defaultHeaders: { authorization: `Bearer ${KEY}` },
      allowedOrigins: [api.url, other.url],
    });
    await tool.execute({ url: api.url, method: "POST", body: "x" });
    expect(other.received[0]?.headers).not.toHaveProperty("authorization");
  });

  it("are not lent to a page that redirects into their origin", async () => {
    const api = await loopbackServer();
    const page = await loopbackServer((_, response) =>
      response.writeHead(302, { location: `${api.url}/delete-everything` }).end(),
    );
    const tool = createHttpTool({ defaultHeaders: { "x-api-key": KEY }, allowedOrigins: [api.url] });
    await tool.execute({ url: page.url });
    expect(api.received[0]?.headers).not.toHaveProperty("x-api-key");
  });

  it.each<Record<string, string>>([
    { authorization: "Bearer x" },
    { "X-Api-Key": "short" },
    { cookie: "session=1" },
    { "x-acme": "Ab3dEf6hIj9kLm2nOp5qRs8t" },
  ])("need allowedOrigins when they are %j", (defaultHeaders) => {
    expect(() => createHttpTool({ defaultHeaders })).toThrow(/allowedOrigins/);
  });

  it.each([
    "api.example.com",
    "https://*.example.com",
    "https://a.example/path",
    "https://u:p@a.example",
    "ftp://a.example",
  ])("are not bound to %s, which is no origin", (origin) => {
    expect(() => createHttpTool({ allowedOrigins: [origin] })).toThrow(/allowedOrigins\.0/);
  });
});

describe("headers that the model sets", () => {
  it.each(["Host", "Transfer-Encoding", "Content-Length", "Connection", "Proxy-Authorization"])(
    "are not %s, which would make the request another one",
    async (name) => {
      const server = await loopbackServer();
      const call = createHttpTool().execute({ url: server.url, headers: { [name]: "x" } });
      await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
      expect(server.received).toEqual([]);
    },
  );
});

/** Every way to write an address under which a cloud machine hands out its credentials. */
const METADATA_URLS = [
  "http://169.254.169.254/latest/meta-data/",
  "http://169.254.0.1/",
  "http://2852039166/",
  "http://0xa9.0xfe.0xa9.0xfe/",
  "http://0251.0376.0251.0376/",
  "http://169.254.43518/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[::169.254.169.254]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[64:ff9b:1::a9fe:a9fe]/",
  "http://[64:ff9b:1:a9fe:a9:fe00::]/",
  "http://[2002:a9fe:a9fe::1]/",
  "http://[fe80::1]/",
  "http://[febf::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fd00:0ec2:0000::0254]/",
  "http://100.100.100.200/",
  "http://METADATA.google.internal/",
  "http://metadata.google.internal./computeMetadata/v1/",
  "http://１６９.254.169.254/",
];

describe("the metadata service of a cloud machine", () => {
  it.each(METADATA_URLS)("is not reached as %s", async (url) => {
    await expect(createHttpTool().execute({ url })).rejects.toMatchObject({ code: "TOOL_ADDRESS_REFUSED" });
  });

  it("is not reached over a redirect", async () => {
    const server = await loopbackServer((_, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end(),
    );
    await expect(createHttpTool().execute({ url: server.url })).rejects.toMatchObject({
      code: "TOOL_ADDRESS_REFUSED",
    });
  });

  it("is not reached by a name that resolves to it, be it only one address among others", async () => {
    const lookup = guardedLookup("metadata", {
      resolve: (_host, _options, done) =>
        done(null, [
          { address: "203.0.113.7", family: 4 },
          { address: "169.254.169.254", family: 4 },
        ]),
    });
    const answer = await new Promise((resolve) =>
      lookup("rebind.example", { all: true }, (error, addresses) => resolve(error ?? addresses)),
    );
    expect(answer).toMatchObject({ name: "AddressRefused", host: "rebind.example" });
  });

  it("is not reached by a name that resolves to something else when it is asked again", async () => {
    const answers = ["203.0.113.7", "169.254.169.254"];
    let asked = 0;
    const lookup = guardedLookup("metadata", {
      resolve(_host, _options, done) {
        done(null, [{ address: answers[asked] as string, family: 4 }]);
        asked += 1;
      },
    });
    const first = await new Promise((resolve) =>
      lookup("rebind.example", {}, (_e, address) => resolve(address)),
    );
    // The connection is made to this very answer; there is no second question.
    expect([first, asked]).toEqual(["203.0.113.7", 1]);
  });
});

describe('denyPrivate: "all"', () => {
  it.each(["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"])(
    "keeps %s out, before a connection is made",
    async (host) => {
      const { port, connections } = await connectionCounter();
      const tool = createHttpTool({ denyPrivate: "all" });
      await expect(tool.execute({ url: `http://${host}:${port}/` })).rejects.toMatchObject({
        code: "TOOL_ADDRESS_REFUSED",
      });
      expect(connections()).toBe(0);
    },
  );

  it.each([
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "fc00::1",
    "::",
    "ff02::1",
    "2002:0a00:0001::",
  ])("knows %s", (address) => {
    expect(isRefusedAddress(address, "private")).toBe(true);
    expect(isRefusedAddress(address, "metadata")).toBe(false);
  });

  it.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "172.32.0.1", "2002:0808:0808::"])(
    "lets %s through",
    (address) => {
      expect(isRefusedAddress(address, "private")).toBe(false);
    },
  );
});

it("denyPrivate: false reaches any address", () => {
  expect(isRefusedHost("169.254.169.254", "none")).toBe(false);
});

describe("input that is nested without end", () => {
  const deep = () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    return value;
  };

  it("is refused by the HTTP tool", async () => {
    const call = createHttpTool().execute({ url: "http://127.0.0.1:1/", method: "POST", body: deep() });
    await expect(call).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("is refused by a tool of one's own", async () => {
    const tool = defineTool({ name: "own", schema: z.any(), execute: (args) => JSON.stringify(args) });
    await expect(tool.execute(deep())).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});
