import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createHttpTool, createToolContext, runWithToolContext } from "../../../src/tools/index.js";
import { loopbackServer } from "../support/loopback-server.js";

async function answerTo(answer: (response: ServerResponse) => void, method: "GET" | "HEAD" = "GET") {
  const server = await loopbackServer((_, response) => answer(response));
  return createHttpTool().execute({ url: server.url, method });
}

describe("the result of an HTTP request", () => {
  it("has status, headers and parsed JSON", async () => {
    const output = await answerTo((response) => {
      response.writeHead(201, "Created here", {
        "Content-Type": "application/json; charset=utf-8",
        "X-Id": "7",
      });
      response.end('{"id":7}');
    });
    expect(output).toMatchObject({
      ok: true,
      status: 201,
      statusText: "Created here",
      headers: { "content-type": "application/json; charset=utf-8", "x-id": "7" },
      body: { id: 7 },
    });
  });

  it("parses the JSON of vendor types", async () => {
    const output = await answerTo((response) => {
      response.setHeader("content-type", "application/problem+json").end('{"title":"x"}');
    });
    expect(output.body).toEqual({ title: "x" });
  });

  it("has text for other content types, and for JSON that is broken", async () => {
    const text = await answerTo((response) =>
      response.setHeader("content-type", "text/plain").end('{"a":1}'),
    );
    expect(text.body).toBe('{"a":1}');
    const broken = await answerTo((response) =>
      response.setHeader("content-type", "application/json").end("{a"),
    );
    expect(broken.body).toBe("{a");
  });

  it.each([400, 404, 500, 304])("is a result and no exception for status %d", async (status) => {
    const output = await answerTo((response) => response.writeHead(status).end());
    expect(output).toMatchObject({ ok: false, status });
  });

  it.each([
    ["204", (response: ServerResponse) => response.writeHead(204).end(), "GET"],
    ["205", (response: ServerResponse) => response.writeHead(205).end(), "GET"],
    [
      "205 with a body that it must not have",
      (response: ServerResponse) => response.writeHead(205).end("x"),
      "GET",
    ],
    [
      "an empty body",
      (response: ServerResponse) => response.setHeader("content-type", "application/json").end(),
      "GET",
    ],
    ["HEAD", (response: ServerResponse) => response.setHeader("content-length", "5").end(), "HEAD"],
  ] as const)("has a null body for %s", async (_, answer, method) => {
    expect((await answerTo(answer, method)).body).toBeNull();
  });

  it("joins several headers of one name", async () => {
    const { headers } = await answerTo((response) => response.setHeader("set-cookie", ["a=1", "b=2"]).end());
    expect(headers["set-cookie"]).toBe("a=1, b=2");
  });

  it("has headers by whatever name they have", async () => {
    const { headers } = await answerTo((response) => {
      response.setHeader("constructor", "a").setHeader("__proto__", "b").end();
    });
    expect(Object.entries(headers)).toEqual(
      expect.arrayContaining([
        ["constructor", "a"],
        ["__proto__", "b"],
      ]),
    );
  });

  it("is there although the server sends a body where there is none", async () => {
    const output = await answerTo((response) => {
      response.socket?.end("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok");
    });
    expect(output).toMatchObject({ status: 204, body: null });
  });

  it("cuts a body above the output limit, also one without end", async () => {
    const server = await loopbackServer((_, response) => {
      response.setHeader("content-type", "application/json");
      const pour = () => {
        while (response.write("[1,2,3]".repeat(1_000)));
      };
      response.on("drain", pour);
      pour();
    });
    const context = createToolContext({ maxOutputBytes: 5_000 });
    const { body } = await runWithToolContext(context, () => createHttpTool().execute({ url: server.url }));
    expect(body).toMatch(/^\[1,2,3\][\s\S]*\[output truncated: the limit is 5000 bytes\]$/);
    expect(Buffer.byteLength(String(body))).toBeLessThanOrEqual(5_000);
  });
});
