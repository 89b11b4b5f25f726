import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiToolSync, type OpenApiSpec, type OpenApiWarning } from "../../src/openapi/index.js";
import { specOfBody } from "./support/spec-builder.js";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The body of a tool whose schema is `name` among these. */
function bodyOf(name: string, schemas: Record<string, unknown>) {
  return inspectTool(specOfBody(ref(name), { components: { schemas } }));
}

function inspectTool(spec: OpenApiSpec) {
  const warnings: OpenApiWarning[] = [];
  const { inputSchema } = createOpenApiToolSync(spec, "call", {
    onWarning: (warning) => warnings.push(warning),
  });
  return {
    warnings,
    takes: (value: unknown) => inputSchema.safeParse({ body: value }).success,
    shown: () =>
      JSON.stringify(z.toJSONSchema(inputSchema, { io: "input", target: "draft-7", reused: "inline" })),
  };
}

describe("a schema that contains itself", () => {
  it("through a property", () => {
    const body = bodyOf("Node", {
      Node: {
        type: "object",
        properties: { value: { type: "integer" }, next: ref("Node") },
        required: ["value"],
      },
    });
    expect(body.takes({ value: 1, next: { value: 2, next: { value: 3 } } })).toBe(true);
    expect(body.takes({ value: 1, next: { value: 2, next: {} } })).toBe(false);
    expect(body.shown()).toContain("$ref");
    expect(body.warnings).toEqual([]);
  });

  it("through items, maps and branches", () => {
    const body = bodyOf("Json", {
      Json: {
        anyOf: [
          { type: "string" },
          { type: "array", items: ref("Json") },
          { type: "object", additionalProperties: ref("Json") },
        ],
      },
    });
    expect(body.takes({ a: ["b", { c: "d" }] })).toBe(true);
    expect(body.takes({ a: ["b", { c: 1 }] })).toBe(false);
  });

  it("through others", () => {
    const body = bodyOf("Folder", {
      Folder: { type: "object", properties: { files: { type: "array", items: ref("File") } } },
      File: {
        type: "object",
        properties: { parent: ref("Folder"), name: { type: "string" } },
        required: ["name"],
      },
    });
    expect(body.takes({ files: [{ name: "a", parent: { files: [{ name: "b" }] } }] })).toBe(true);
    expect(body.takes({ files: [{ name: "a", parent: { files: [{}] } }] })).toBe(false);
  });

  it("through the whole document", () => {
    const spec = specOfBody({
      type: "object",
      properties: { child: { $ref: "#/paths/~1things/post/requestBody/content/application~1json/schema" } },
    });
    const body = inspectTool(spec);
    expect(body.takes({ child: { child: {} } })).toBe(true);
    expect(body.takes({ child: { child: 1 } })).toBe(false);
  });

  it("as JSON Schema describes itself", () => {
    const schema = {
      type: "object",
      properties: {
        properties: { type: "object", additionalProperties: ref("Schema") },
        items: { oneOf: [ref("Schema"), { type: "array", items: ref("Schema") }] },
        not: ref("Schema"),
        allOf: { type: "array", items: ref("Schema") },
        required: { type: "array", items: { type: "string" } },
      },
    };
    const body = bodyOf("Schema", { Schema: schema });
    expect(body.takes({ properties: { a: { items: [{ allOf: [{}] }] } } })).toBe(true);
    expect(body.takes({ properties: { a: { items: [{ allOf: [{ required: [1] }] }] } } })).toBe(false);
  });
});

describe("a schema that describes itself by itself", () => {
  it("as an alternative of a subtype that builds on it", () => {
    const schemas = {
      Pet: {
        type: "object",
        properties: { kind: { type: "string" } },
        required: ["kind"],
        discriminator: { propertyName: "kind" },
        oneOf: [ref("Cat"), ref("Dog")],
      },
      Cat: {
        allOf: [
          ref("Pet"),
          { type: "object", properties: { lives: { type: "integer" } }, required: ["lives"] },
        ],
      },
      Dog: {
        allOf: [
          ref("Pet"),
          { type: "object", properties: { barks: { type: "boolean" } }, required: ["barks"] },
        ],
      },
    };
    const pet = bodyOf("Pet", schemas);
    expect(pet.takes({ kind: "cat", lives: 9 })).toBe(true);
    expect(pet.takes({ kind: "cat" })).toBe(false);
    expect(pet.takes({ lives: 9 })).toBe(false);
    const cat = bodyOf("Cat", schemas);
    expect(cat.takes({ kind: "cat", lives: 9 })).toBe(true);
    expect(cat.takes({ kind: "cat", lives: "nine" })).toBe(false);
    expect(() => pet.shown() + cat.shown()).not.toThrow();
  });

  it.each([
    ["a reference to itself", { A: ref("A") }],
    ["references in a circle", { A: ref("B"), B: ref("A") }],
    ["a branch of its own", { A: { allOf: [ref("A")] } }],
    [
      "branches in a circle",
      { A: { anyOf: [ref("B"), { type: "string" }] }, B: { oneOf: [{ allOf: [ref("A")] }] } },
    ],
  ])("as %s, which takes any value", (_name, schemas) => {
    const body = bodyOf("A", schemas);
    expect(body.takes({ any: ["thing"] })).toBe(true);
    expect(() => body.shown()).not.toThrow();
  });
});

describe("a document whose references were replaced by their targets", () => {
  it("may be cyclic", () => {
    const node: Record<string, unknown> = { type: "object", properties: { value: { type: "integer" } } };
    (node["properties"] as Record<string, unknown>)["children"] = { type: "array", items: node };
    const body = inspectTool(specOfBody(node));
    expect(body.takes({ value: 1, children: [{ value: 2, children: [] }] })).toBe(true);
    expect(body.takes({ value: 1, children: [{ value: "2" }] })).toBe(false);
    expect(() => body.shown()).not.toThrow();
  });

  it("may hold one object in very many places", () => {
    let schema: Record<string, unknown> = { type: "string" };
    for (let level = 0; level < 60; level += 1) {
      schema = { type: "object", properties: { left: schema, right: schema } };
    }
    const body = inspectTool(specOfBody(schema));
    expect(body.takes({ left: { right: {} } })).toBe(true);
    expect(body.takes({ left: { right: 1 } })).toBe(false);
    expect(body.shown().length).toBeLessThan(200_000);
  });
});

describe("a schema that is too large to be shown", () => {
  /** Level n refers twice to level n + 1: 2^30 leaves when unfolded. */
  const doubling = Object.fromEntries(
    Array.from({ length: 31 }, (_, n) => [
      `L${n}`,
      n === 30
        ? { type: "string" }
        : { type: "object", properties: { a: ref(`L${n + 1}`), b: ref(`L${n + 1}`) } },
    ]),
  );

  it("is cut where references lead deepest", () => {
    const body = bodyOf("L0", doubling);
    expect(body.takes({ a: { b: { a: {} } } })).toBe(true);
    expect(body.takes({ a: { b: { a: 1 } } })).toBe(false);
    expect(body.shown().length).toBeLessThan(200_000);
  });

  it("is reported with what was cut", () => {
    expect(bodyOf("L0", doubling).warnings).toEqual([
      {
        kind: "schema",
        operationId: "call",
        message: expect.stringMatching(/too large to be shown in full; .*L\d+/),
      },
    ]);
  });

  it("takes any value where it was cut", () => {
    let value: unknown = 1;
    for (let level = 0; level < 30; level += 1) value = { a: value };
    expect(bodyOf("L0", doubling).takes(value)).toBe(true);
  });

  it("may be a chain of references of any length", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [
        `C${n}`,
        { type: "object", properties: { next: ref(`C${n + 1}`) } },
      ]),
    );
    const body = bodyOf("C0", { ...chain, C3000: { type: "string" } });
    expect(body.takes({ next: { next: {} } })).toBe(true);
    expect(() => body.shown()).not.toThrow();
  });

  it("may be nested to any depth without a reference", () => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 2_000; level += 1) schema = { type: "object", properties: { next: schema } };
    const body = inspectTool(specOfBody(schema));
    expect(body.takes({ next: { next: {} } })).toBe(true);
    expect(body.takes({ next: { next: 1 } })).toBe(false);
    expect(() => body.shown()).not.toThrow();
  });
});
