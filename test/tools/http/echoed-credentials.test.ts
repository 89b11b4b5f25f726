import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpTool } from "../../../src/tools/index.js";

const server = createServer((request, response) => {
  response.setHeader("x-seen", String(request.headers["x-api-key"]));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ seen: request.headers }));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("credentials among the default headers are removed from an answer that repeats them", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tool = createHttpTool({
    allowedOrigins: [url],
    defaultHeaders: {
      "x-api-key": "planted-key-1234",
      authorization: "Bearer planted-token-5678",
      accept: "text/html",
    },
  });
  const output = await tool.execute({ url });
  const text = JSON.stringify(output);
  expect(text).not.toContain("planted-key-1234");
  expect(text).not.toContain("planted-token-5678");
  expect(text).toContain("text/html");
  expect(output.headers["x-seen"]).toBe("[redacted]");
});
