import { once } from "node:events";
import { expect, it } from "vitest";
import { startServer } from "../../../src/index.js";

it("a host leaves the requests and responses of the rest of its process as they are", async () => {
  const before = [globalThis.Request, globalThis.Response];
  const server = startServer({ port: 0 });
  await once(server, "listening");
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
  expect([globalThis.Request === before[0], globalThis.Response === before[1]]).toEqual([true, true]);
  expect(new Response(new Blob(["x"], { type: "image/png" })).headers.get("content-type")).toBe("image/png");
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
