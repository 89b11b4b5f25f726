import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiToolSync, type OpenApiToolsOptions } from "../../src/openapi/index.js";
import { startLoopback } from "./support/loopback-server.js";
import { specOfBody, specOfOne } from "./support/spec-builder.js";

const pet = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

async function send(
  operation: Record<string, unknown>,
  input: Record<string, unknown>,
  { method = "post", ...options }: OpenApiToolsOptions & { method?: string } = {},
) {
  const server = await startLoopback();
  const spec = specOfOne(operation, { method });
  await createOpenApiToolSync(spec, "call", { baseUrl: server.origin, ...options }).execute(input);
  return server.last();
}

const bodyOfType = (...mediaTypes: string[]) => ({
  requestBody: { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }])) },
});

describe("a JSON body", () => {
  it("is the property `body` of the input", async () => {
    const { body, headers, method } = await send(
      { requestBody: { content: { "application/json": { schema: pet } } } },
      {
        body: { name: "Tama", extra: [1, null] },
      },
    );
    expect(JSON.parse(body)).toEqual({ name: "Tama", extra: [1, null] });
    expect(headers["content-type"]).toBe("application/json");
    expect(method).toBe("POST");
  });

  it("is checked against its schema", async () => {
    const tool = createOpenApiToolSync(specOfBody(pet), "call");
    expect(tool.inputSchema.safeParse({ body: { name: "Tama" } }).success).toBe(true);
    expect(tool.inputSchema.safeParse({ body: { name: 7 } }).success).toBe(false);
    await expect(tool.execute({ body: {} })).rejects.toThrow(/input does not fit: body\.name: /);
  });

  it("is required where the document says so", () => {
    const schemaFor = (required: boolean | undefined) =>
      createOpenApiToolSync(
        specOfOne(
          { requestBody: { required, content: { "application/json": { schema: pet } } } },
          { method: "put" },
        ),
        "call",
      ).inputSchema;
    expect(schemaFor(true).safeParse({}).success).toBe(false);
    expect(schemaFor(false).safeParse({}).success).toBe(true);
    expect(schemaFor(undefined).safeParse({}).success).toBe(true);
  });

  it("is not sent when it is not given, and then has no media type", async () => {
    const { body, headers } = await send(bodyOfType("application/json"), {});
    expect(body).toBe("");
    expect(headers).not.toHaveProperty("content-type");
  });

  it.each([null, false, 0, "", []])("may be %j", async (value) => {
    expect((await send(bodyOfType("application/json"), { body: value })).body).toBe(JSON.stringify(value));
  });

  it("goes with DELETE as well", async () => {
    const { body, method } = await send(bodyOfType("application/json"), { body: 1 }, { method: "delete" });
    expect([method, body]).toEqual(["DELETE", "1"]);
  });

  it("may be described by a reference", async () => {
    const spec = specOfOne(
      { requestBody: { $ref: "#/components/requestBodies/Pet" } },
      {
        method: "post",
        components: {
          requestBodies: {
            Pet: {
              required: true,
              description: "The pet.",
              content: { "application/json": { schema: pet } },
            },
          },
        },
      },
    );
    const { inputSchema } = createOpenApiToolSync(spec, "call");
    expect(z.toJSONSchema(inputSchema)).toMatchObject({
      properties: { body: { description: "The pet.", type: "object" } },
      required: ["body"],
    });
  });

  it("has any value where the document gives no schema", async () => {
    const { body } = await send(
      { requestBody: { content: { "application/json": {} } } },
      { body: { any: 1 } },
    );
    expect(body).toBe('{"any":1}');
  });
});

describe("the media type of a body", () => {
  it.each([
    [["text/plain", "application/json"], "application/json"],
    [["application/merge-patch+json", "application/json; charset=utf-8"], "application/json; charset=utf-8"],
    [["application/xml", "application/vnd.api+json"], "application/vnd.api+json"],
    [["Application/JSON"], "Application/JSON"],
    [["*/*"], "application/json"],
    [["application/*"], "application/json"],
  ])("of %j is %s", async (declared, expected) => {
    expect((await send(bodyOfType(...declared), { body: 1 })).headers["content-type"]).toBe(expected);
  });

  it("is the one of the operator's headers, if they have one", async () => {
    const { headers } = await send(
      bodyOfType("application/json"),
      { body: 1 },
      {
        headers: { "Content-Type": "application/json; profile=x" },
      },
    );
    expect(headers["content-type"]).toBe("application/json; profile=x");
  });
});

describe("a parameter that has the name of the body", () => {
  const named = (...names: string[]) => ({
    parameters: names.map((name) => ({ name, in: "query", schema: { type: "string" } })),
    ...bodyOfType("application/json"),
  });

  it("keeps it, and the body becomes `requestBody`", async () => {
    const { target, body } = await send(named("body"), { body: "in the query", requestBody: "sent" });
    expect([target, body]).toEqual(["/things?body=in%20the%20query", '"sent"']);
  });

  it("keeps both names, and the body gets an underscore", async () => {
    const { target, body } = await send(named("body", "requestBody", "_requestBody"), {
      requestBody: "a",
      __requestBody: 1,
    });
    expect([target, body]).toEqual(["/things?requestBody=a", "1"]);
  });

  it("is nothing special without a body", async () => {
    const { target } = await send({ ...named("body"), requestBody: undefined }, { body: "x" });
    expect(target).toBe("/things?body=x");
  });
});
