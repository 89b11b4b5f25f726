import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createOpenApiToolSync, type OpenApiToolsOptions } from "../../src/openapi/index.js";
import { closedPort, startLoopback } from "./support/loopback-server.js";
import { specOfOne } from "./support/spec-builder.js";

const toolAt = (baseUrl: string, options: OpenApiToolsOptions = {}) =>
  createOpenApiToolSync(specOfOne(), "call", { baseUrl, ...options });

const failed = (reason: RegExp) =>
  expect.objectContaining({
    name: "ServiceError",
    code: "OPENAPI_TOOL_EXECUTION_FAILED",
    details: { operationId: "call", method: "GET", path: "/things" },
    message: expect.stringMatching(reason),
    cause: expect.anything(),
  });

describe("OPENAPI_TOOL_EXECUTION_FAILED is thrown with the cause", () => {
  it("when no server listens", async () => {
    const tool = toolAt(`http://127.0.0.1:${await closedPort()}`);
    await expect(tool.execute({})).rejects.toEqual(
      failed(/operation "call" \(GET \/things\) failed: .*ECONNREFUSED/),
    );
  });

  it("when the connection is cut before the answer", async () => {
    const server = await startLoopback((_request, response) => response.socket?.destroy());
    await expect(toolAt(server.origin).execute({})).rejects.toEqual(failed(/failed: /));
  });

  it("when the connection is cut within the answer", async () => {
    const server = await startLoopback((_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => response.socket?.destroy());
    });
    await expect(toolAt(server.origin).execute({})).rejects.toEqual(failed(/failed: /));
  });

  it("when no answer comes within `timeoutMs`", async () => {
    const server = await startLoopback(() => {});
    await expect(toolAt(server.origin, { timeoutMs: 30 }).execute({})).rejects.toEqual(
      failed(/failed: no answer within 30 ms/),
    );
  });

  it("when the answer does not end within `timeoutMs`", async () => {
    const server = await startLoopback((_request, response) => void response.writeHead(200).write("..."));
    await expect(toolAt(server.origin, { timeoutMs: 50 }).execute({})).rejects.toEqual(
      failed(/failed: no answer within 50 ms/),
    );
  });

  it("and may be tried again, unlike a call that cannot be made", async () => {
    const tool = toolAt(`http://127.0.0.1:${await closedPort()}`);
    const refused: unknown = await tool.execute({}).catch((error: unknown) => error);
    expect(refused).not.toHaveProperty("retryable");
    const mismatch: unknown = await tool.execute({ extra: 1 }).catch((error: unknown) => error);
    expect(mismatch).toMatchObject({ code: "OPENAPI_TOOL_EXECUTION_FAILED", retryable: false });
  });
});

describe("an abort", () => {
  it("is rethrown with its own reason", async () => {
    const server = await startLoopback(() => {});
    const controller = new AbortController();
    const reason = new Error("the run was cancelled");
    const call = toolAt(server.origin).execute({}, { abortSignal: controller.signal, toolCallId: "1" });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("before the call keeps the request from being sent", async () => {
    const server = await startLoopback();
    const signal = AbortSignal.abort();
    await expect(toolAt(server.origin).execute({}, { abortSignal: signal })).rejects.toBe(signal.reason);
    expect(server.requests).toEqual([]);
  });

  it("closes the connection to the server", async () => {
    let closed!: () => void;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const controller = new AbortController();
    const server = await startLoopback((_request, response) => {
      response.on("close", closed);
      controller.abort();
    });
    await expect(toolAt(server.origin).execute({}, { abortSignal: controller.signal })).rejects.toThrow();
    await isClosed;
  });

  it("after the call has no listener left behind", async () => {
    const server = await startLoopback();
    const controller = new AbortController();
    const added: string[] = [];
    const { signal } = controller;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      added.push(args[0]);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      added.splice(added.indexOf(args[0]), 1);
      removeEventListener.apply(signal, args);
    };
    await toolAt(server.origin).execute({}, { abortSignal: signal });
    expect(added).toEqual([]);
  });
});

describe("no secret of the options", () => {
  const secrets = ["bearer-s3cret", "header-s3cret", "query s3cret", "basic-s3cret"];
  const variants: [string, OpenApiToolsOptions][] = [
    ["a bearer token", { auth: { type: "bearer", token: "bearer-s3cret" } }],
    ["a password", { auth: { type: "basic", username: "ada", password: "basic-s3cret" } }],
    ["a key in a header", { auth: { type: "apiKey", in: "header", name: "x-key", value: "header-s3cret" } }],
    ["a key in the query", { auth: { type: "apiKey", in: "query", name: "key", value: "query s3cret" } }],
    ["a header", { headers: { "x-other": "header-s3cret" } }],
  ];
  const encoded = Buffer.from("ada:basic-s3cret").toString("base64");

  function expectClean(value: unknown): void {
    const text = inspect(value, { depth: 10, showHidden: true });
    for (const secret of [...secrets, encoded, encodeURIComponent("query s3cret")])
      expect(text).not.toContain(secret);
  }

  it.each(variants)("is in the error of a call that got no answer: %s", async (_name, options) => {
    const refused = toolAt(`http://127.0.0.1:${await closedPort()}`, options);
    expectClean(await refused.execute({}).catch((error: unknown) => error));
    const hanging = await startLoopback(() => {});
    const late = toolAt(hanging.origin, { ...options, timeoutMs: 20 });
    expectClean(await late.execute({}).catch((error: unknown) => error));
  });

  it.each(variants)("is in the failure of a server that repeats its request: %s", async (_name, options) => {
    const server = await startLoopback((request, response) => {
      response.writeHead(400).end(`bad request: ${request.target} ${JSON.stringify(request.headers)}`);
    });
    const failure = await toolAt(server.origin, options).execute({});
    expect(failure).toMatchObject({ message: expect.stringContaining("[redacted]") });
    expectClean(failure);
  });

  it.each(variants)("is in the error of a redirect that cannot be followed: %s", async (_name, options) => {
    const server = await startLoopback((request, response) => {
      const echoed = `${request.headers.authorization ?? ""}${request.headers["x-key"] ?? ""}`;
      response.writeHead(302, { location: `gopher://${encodeURIComponent(echoed)}${request.target}` }).end();
    });
    const error: unknown = await toolAt(server.origin, options)
      .execute({})
      .catch((thrown: unknown) => thrown);
    expect(error).toEqual(failed(/redirects to/));
    expectClean(error);
  });
});
