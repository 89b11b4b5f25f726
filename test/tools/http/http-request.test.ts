import { describe, expect, it } from "vitest";
import { createHttpTool, type HttpToolInput } from "../../../src/tools/index.js";
import { loopbackServer } from "../support/loopback-server.js";

/** Sends one input and returns what the server saw of it. */
async function sent(input: Omit<HttpToolInput, "url">, options = {}, path = "/") {
  const server = await loopbackServer();
  await createHttpTool(options).execute({ url: server.url + path, ...input });
  const [request] = server.received;
  if (request === undefined) throw new Error("nothing arrived");
  return request;
}

describe("the method and address of an HTTP request", () => {
  it("are GET and the url when nothing else is said", async () => {
    expect(await sent({}, {}, "/items?page=1")).toMatchObject({
      method: "GET",
      url: "/items?page=1",
      body: "",
    });
  });

  it.each(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const)(
    "may be %s",
    async (method) => {
      expect((await sent({ method })).method).toBe(method);
    },
  );

  it("take the query in, leaving null and undefined out", async () => {
    const query = { q: "a b&c", page: 2, exact: false, none: null, missing: undefined, empty: "" };
    const { url } = await sent({ query }, {}, "/search?page=1&lang=en");
    expect(Object.fromEntries(new URL(url, "http://x").searchParams)).toEqual({
      lang: "en",
      page: "2",
      q: "a b&c",
      exact: "false",
      empty: "",
    });
  });

  it.each([
    ["no address", "items"],
    ["another protocol", "file:///etc/passwd"],
    ["credentials in the address", "http://user:pass@127.0.0.1/"],
  ])("are refused for %s", async (_, url) => {
    const call = createHttpTool().execute({ url });
    await expect(call).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { issues: [{ path: "url" }] },
    });
  });
});

describe("the headers of an HTTP request", () => {
  it("are the defaults, with those of the input over them in any spelling", async () => {
    const { headers } = await sent(
      { headers: { "X-SHARED": "input", "x-own": "input" } },
      { defaultHeaders: { "x-shared": "default", "x-default": "default" } },
    );
    expect(headers).toMatchObject({ "x-shared": "input", "x-own": "input", "x-default": "default" });
  });

  it.each([
    [{ type: "bearer", token: "t0k3n" }, "authorization", "Bearer t0k3n"],
    [{ type: "basic", username: "ada", password: "pä:ss" }, "authorization", "Basic YWRhOnDDpDpzcw=="],
    [{ type: "header", name: "X-Api-Key", value: "k3y" }, "x-api-key", "k3y"],
  ] as const)("carry the credentials of %j", async (auth, name, value) => {
    expect((await sent({ auth, headers: { [name]: "overruled" } })).headers[name]).toBe(value);
  });
});

describe("the body of an HTTP request", () => {
  it("is JSON for objects and arrays", async () => {
    const object = await sent({ method: "POST", body: { a: [1, null] } });
    expect(object).toMatchObject({ body: '{"a":[1,null]}', headers: { "content-type": "application/json" } });
    expect((await sent({ method: "PUT", body: [1, 2] })).body).toBe("[1,2]");
  });

  it("keeps a content type that is set", async () => {
    const headers = { "Content-Type": "application/vnd.api+json" };
    const request = await sent({ method: "PATCH", body: { a: 1 }, headers });
    expect(request).toMatchObject({
      body: '{"a":1}',
      headers: { "content-type": "application/vnd.api+json" },
    });
  });

  it("passes text, blobs and forms through", async () => {
    expect((await sent({ method: "POST", body: "plain text" })).body).toBe("plain text");
    expect(
      (await sent({ method: "POST", body: new Blob(["blob"], { type: "image/png" }) })).headers,
    ).toMatchObject({
      "content-type": "image/png",
    });
    const query = await sent({ method: "POST", body: new URLSearchParams({ a: "1 2" }) });
    expect(query.body).toBe("a=1+2");
    expect(query.headers["content-type"]).toContain("application/x-www-form-urlencoded");
    const form = new FormData();
    form.set("file", new Blob(["content"]), "name.txt");
    const multipart = await sent({ method: "POST", body: form });
    expect(multipart.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(multipart.body).toContain('filename="name.txt"');
  });

  it("is empty for none and for null", async () => {
    expect((await sent({ method: "POST" })).body).toBe("");
    expect((await sent({ method: "POST", body: null })).body).toBe("");
  });

  it.each(["GET", "HEAD"] as const)("is ignored for %s", async (method) => {
    const { body, headers } = await sent({ method, body: { a: 1 } });
    expect(body).toBe("");
    expect(headers["content-type"]).toBeUndefined();
  });
});
