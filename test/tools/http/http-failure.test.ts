import { describe, expect, it } from "vitest";
import {
  createHttpTool,
  createToolContext,
  type HttpToolInput,
  runWithToolContext,
} from "../../../src/tools/index.js";
import { serializeError } from "../../../src/errors/ensure-error.js";
import { loopbackServer } from "../support/loopback-server.js";

/** A server that accepts requests and never answers. */
const silent = () => loopbackServer(() => undefined);

describe("an HTTP request without an answer", () => {
  it("fails with method, address and the system's code when no server listens", async () => {
    const call = createHttpTool().execute({ url: "http://127.0.0.1:1/path?key=s3cret", method: "POST" });
    await expect(call).rejects.toMatchObject({
      code: "TOOL_HTTP_FAILED",
      summary: expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:1\/path got no answer \(\w.*\)\.$/),
    });
  });

  it("fails when the connection breaks in the middle of the body", async () => {
    const server = await loopbackServer((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await expect(createHttpTool().execute({ url: server.url })).rejects.toMatchObject({
      code: "TOOL_HTTP_FAILED",
    });
  });

  it("fails at once when the server changes to a protocol that it was not asked for", async () => {
    const server = await loopbackServer((_, response) => {
      response.socket?.end("HTTP/1.1 101 Other\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
    });
    await expect(createHttpTool().execute({ url: server.url })).rejects.toMatchObject({
      code: "TOOL_HTTP_FAILED",
    });
  });

  it("is given up after timeoutMs", async () => {
    const server = await silent();
    await expect(createHttpTool().execute({ url: server.url, timeoutMs: 50 })).rejects.toMatchObject({
      code: "TOOL_TIMEOUT",
      summary: "Tool http ran longer than 50 ms.",
    });
  });

  it("is given up after the time limit of the task when that comes first", async () => {
    const server = await silent();
    const call = runWithToolContext(createToolContext({ toolTimeoutMs: 50 }), () =>
      createHttpTool().execute({ url: server.url, timeoutMs: 3_600_000 }),
    );
    await expect(call).rejects.toMatchObject({ code: "TOOL_TIMEOUT", details: { timeoutMs: 50 } });
  });

  it("is given up when the task is aborted", async () => {
    const server = await silent();
    const controller = new AbortController();
    const call = createHttpTool().execute({ url: server.url }, { abortSignal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "TASK_ABORTED" });
  });

  it.each([0, -1, 1.5])("is not sent with a timeoutMs of %d", async (timeoutMs) => {
    const server = await loopbackServer();
    await expect(createHttpTool().execute({ url: server.url, timeoutMs })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect(server.received).toEqual([]);
  });
});

describe("the errors of the HTTP tool", () => {
  const secret = "pl4nted-s3cret";
  const address = "http://127.0.0.1:1/";
  const planted: Record<string, HttpToolInput> = {
    "a bearer token": { url: address, auth: { type: "bearer", token: secret } },
    "a bearer token that cannot be sent": { url: address, auth: { type: "bearer", token: `${secret}\n` } },
    "a password": { url: address, auth: { type: "basic", username: "u", password: secret } },
    "a key": { url: address, auth: { type: "header", name: "x-key", value: `${secret}\0` } },
    "a header": { url: address, headers: { "x-key": `${secret}\r\n` } },
    "the query": { url: `${address}?key=${secret}`, query: { other: secret } },
    "the user part of the address": { url: `http://user:${secret}@127.0.0.1:1/` },
    "an address that is none": { url: `htp//${secret}` },
    "the body": { url: address, method: "POST", body: { password: secret } },
    "a value of the wrong type": { url: address, auth: { type: "other", token: secret } as never },
  };

  it.each(Object.entries(planted))("do not repeat a secret from %s", async (_, input) => {
    const error = await createHttpTool({ defaultHeaders: { "x-default": secret } })
      .execute(input)
      .catch((thrown) => thrown);
    expect(error.code).toMatch(/^(INVALID_INPUT|TOOL_HTTP_FAILED)$/);
    const everything = JSON.stringify(serializeError(error)) + error.stack + String(error.cause);
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(`u:${secret}`).toString("base64"));
  });
});
