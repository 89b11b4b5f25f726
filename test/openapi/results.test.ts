import { describe, expect, it } from "vitest";
import {
  createOpenApiToolSync,
  isOpenApiToolFailure,
  type OpenApiToolsOptions,
} from "../../src/openapi/index.js";
import { type Answer, json, startLoopback } from "./support/loopback-server.js";
import { specOfOne } from "./support/spec-builder.js";

async function resultOf(answer: Answer, options: OpenApiToolsOptions = {}): Promise<unknown> {
  const server = await startLoopback(answer);
  return createOpenApiToolSync(specOfOne(), "call", { baseUrl: server.origin, ...options }).execute({});
}

const typed =
  (contentType: string | undefined, body: string | Buffer, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, contentType === undefined ? {} : { "content-type": contentType }).end(body);
  };

describe("a call results in", () => {
  it.each([{ id: 1, tags: ["a"] }, [], 0, false, null, "text"])("the JSON body itself: %j", async (value) => {
    expect(await resultOf(json(value))).toEqual(value);
  });

  it.each(["application/vnd.api+json", "application/problem+json; charset=utf-8", "text/json"])(
    "parsed JSON for %s",
    async (type) => {
      expect(await resultOf(typed(type, '{"a":1}'))).toEqual({ a: 1 });
    },
  );

  it.each(["text/plain", "text/html", undefined])("text for %s", async (type) => {
    expect(await resultOf(typed(type, '{"a":1}'))).toBe('{"a":1}');
  });

  it("the text of a body that says it is JSON and is not", async () => {
    expect(await resultOf(typed("application/json", "{oops"))).toBe("{oops");
  });

  it.each([200, 202, 204, 205])("null for an empty body with status %d", async (status) => {
    expect(await resultOf(typed(undefined, "", status))).toBeNull();
  });

  it("text whose characters span chunks", async () => {
    const bytes = Buffer.from("před 🐎");
    const result = resultOf((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    expect(await result).toBe("před 🐎");
  });
});

describe("an answer that is no success results in a failure for the model to read", () => {
  it("with the status and the body", async () => {
    expect(await resultOf(json({ detail: "no such pet" }, 404))).toStrictEqual({
      error: true,
      status: "failed",
      message: 'HTTP 404 Not Found: {"detail":"no such pet"}',
      httpStatus: 404,
    });
  });

  it("with the status alone for an empty body", async () => {
    expect(await resultOf(typed(undefined, "", 500))).toMatchObject({
      message: "HTTP 500 Internal Server Error",
      httpStatus: 500,
    });
  });

  it("with the start of a long body", async () => {
    const failure = (await resultOf(typed("text/plain", "x".repeat(50_000), 400))) as { message: string };
    expect(failure.message).toBe(`HTTP 400 Bad Request: ${"x".repeat(2_000)}`);
  });

  it.each([304, 401, 403, 409, 422, 429, 503])("for %d", async (status) => {
    expect(await resultOf(typed(undefined, "", status))).toMatchObject({ error: true, httpStatus: status });
  });

  it("that isOpenApiToolFailure tells from data", async () => {
    expect(isOpenApiToolFailure(await resultOf(json({}, 500)))).toBe(true);
    for (const data of [{}, null, "failed", { error: true }, { status: "failed", error: true }]) {
      expect(isOpenApiToolFailure(data)).toBe(false);
    }
  });
});

describe("a response above `maxResponseBytes`", () => {
  it("results in a failure that says so", async () => {
    expect(await resultOf(typed("text/plain", "x".repeat(101)), { maxResponseBytes: 100 })).toEqual({
      error: true,
      status: "failed",
      message: "HTTP 200 OK: the response is larger than 100 bytes",
      httpStatus: 200,
    });
  });

  it("counts bytes, and may have exactly that many", async () => {
    expect(await resultOf(typed("text/plain", "é".repeat(50)), { maxResponseBytes: 100 })).toBe(
      "é".repeat(50),
    );
    expect(
      isOpenApiToolFailure(await resultOf(typed("text/plain", "é".repeat(51)), { maxResponseBytes: 100 })),
    ).toBe(true);
  });

  it("is not read to its end", async () => {
    const endless: Answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const pour = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
    };
    expect(await resultOf(endless)).toMatchObject({
      message: "HTTP 200 OK: the response is larger than 1048576 bytes",
    });
  });
});
