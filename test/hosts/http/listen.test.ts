import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { startServer } from "../../../src/index.js";

it("a host leaves the requests and responses of the rest of its process as they are", async () => {
  const before = [globalThis.Request, globalThis.Response];
  const server = startServer({ port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toMatchObject({ ok: true });
  expect([globalThis.Request === before[0], globalThis.Response === before[1]]).toEqual([true, true]);
  expect(new Response(new Blob(["x"], { type: "image/png" })).headers.get("content-type")).toBe("image/png");
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

it("time limits may be any number of milliseconds", async () => {
  const server = startServer({ port: 0, headersTimeout: 1111, requestTimeout: 2222.5 });
  await once(server, "listening");
  expect(server).toMatchObject({ headersTimeout: 1111, requestTimeout: 2222.5 });
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** What a host answers to these very bytes. */
async function answerTo(port: number, text: string): Promise<{ status: number; body: string }> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
    // A whole answer: all of these are JSON objects.
    if (answer.includes("}}") || answer.includes('"}')) socket.destroy();
  });
  socket.write(text);
  await once(socket, "close");
  return {
    status: Number(answer.split(" ")[1]),
    body: answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1),
  };
}

it("an address that cannot be read is refused with a code; HTTP/1.0 needs no Host", async () => {
  const server = startServer({ port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const request of [
    "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /v1/runs HTTP/1.1\r\nHost: a b\r\n\r\n",
  ]) {
    const { status, body } = await answerTo(port, request);
    expect({ request, status, body: JSON.parse(body) as unknown }).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_INPUT", docsUrl: expect.stringContaining("errors.md") as string } },
    });
  }
  expect((await answerTo(port, "GET /health HTTP/1.0\r\n\r\n")).status).toBe(200);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
