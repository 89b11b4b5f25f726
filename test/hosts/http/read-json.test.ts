import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createBaseApp } from "../../../src/hosts/http/base-app.js";
import { readQuery } from "../../../src/hosts/http/run-requests.js";
import { readJson } from "../../../src/hosts/http/read-json.js";

/** An app that answers with what it was sent, and remembers what it took for its own failure. */
function echo() {
  const failures: Error[] = [];
  const app = createBaseApp({ onFailure: (error) => failures.push(error) });
  app.post("/", async (c) => c.json({ sent: await readJson(c, { schema: z.unknown(), maxBytes: 1_000 }) }));
  const send = async (headers: Record<string, string>, body?: string) => {
    // Bytes: a text would get a type of its own.
    const bytes = body === undefined ? null : new TextEncoder().encode(body);
    return (await app.request("/", { method: "POST", headers, body: bytes })).status;
  };
  return { app, failures, send };
}

const PAGE = { origin: "https://page.example" };

describe("a body", () => {
  it("of a page says that it is JSON, which browsers ask about first; one without a type came unasked", async () => {
    const { send } = echo();
    expect(await send(PAGE, "{}")).toBe(400);
    expect(await send({ ...PAGE, "content-type": "text/plain" }, "{}")).toBe(400);
    expect(await send({ ...PAGE, "content-type": "application/json" }, "{}")).toBe(200);
    expect(await send({}, "{}")).toBe(200);
  });

  it.each([
    ["says its length", { "content-length": "2000" }],
    ["says another length", { "content-length": "10" }],
    ["comes in pieces", {}],
  ])("is refused where it is larger than is taken: one that %s", async (_what, headers) => {
    const { send } = echo();
    expect(await send({ ...headers, "content-type": "application/json" }, `"${"x".repeat(1_998)}"`)).toBe(
      413,
    );
  });

  it("may be left out, but not by a page of another site", async () => {
    const { send } = echo();
    expect(await send({})).toBe(200);
    expect(await send({ ...PAGE, "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await send({ ...PAGE, "sec-fetch-site": "cross-site" })).toBe(400);
    expect(await send({ ...PAGE, "sec-fetch-site": "same-site" })).toBe(400);
    const asked = { ...PAGE, "sec-fetch-site": "cross-site", "content-type": "application/json" };
    expect(await send(asked)).toBe(200);
  });

  it("that breaks off is its sender's mistake, not the host's", async () => {
    const { app, failures } = echo();
    const body = new ReadableStream({
      pull(controller) {
        controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
      },
    });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" };
    const response = await app.request("/", init as RequestInit);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(failures).toEqual([]);
  });
});

it("what is thrown and is no Error is answered and reported like one", async () => {
  const { app, failures } = echo();
  app.get("/throws", () => {
    throw "a text";
  });
  const response = await app.request("/throws");
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: "INTERNAL_ERROR" } });
  expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining("a text")]);
});

it("an unknown member is refused by the name of where it stands", async () => {
  const app = createBaseApp({ onFailure: () => {} });
  const schema = z.strictObject({ limit: z.string().optional() });
  app.get("/", (c) => c.json(readQuery(c, schema)));
  app.post("/", async (c) => c.json(await readJson(c, { schema, maxBytes: 1_000 })));
  const told = async (request: Request) => {
    const answer = (await (await app.fetch(request)).json()) as { error: { details: { issues: string[] } } };
    return answer.error.details.issues[0];
  };
  const at = "http://localhost/";
  expect(await told(new Request(`${at}?limt=5`))).toMatch(/^\(query\): .*"limt"/);
  expect(
    await told(
      new Request(at, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"limt":5}',
      }),
    ),
  ).toMatch(/^\(body\): .*"limt"/);
});
