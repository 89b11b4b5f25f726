import { describe, expect, it } from "vitest";
import { bodyOf } from "./support/tool-body.js";

describe("references", () => {
  const components = {
    schemas: {
      "a/b~c d": { type: "integer" },
      Alias: { $ref: "#/components/schemas/a~1b~0c%20d" },
      Closed: false,
    },
  };

  it("are unescaped, and followed through other references", () => {
    const body = bodyOf({ type: "array", items: { $ref: "#/components/schemas/Alias" } }, { components });
    expect([body.takes([1]), body.takes(["1"])]).toEqual([true, false]);
  });

  it("may lead to any place of the document", () => {
    const body = bodyOf({ $ref: "#/x-models/0/schema" }, { "x-models": [{ schema: { type: "boolean" } }] });
    expect([body.takes(true), body.takes(1)]).toEqual([true, false]);
  });

  it("may lead to a boolean schema", () => {
    const schema = { type: "object", properties: { no: { $ref: "#/components/schemas/Closed" } } };
    const body = bodyOf(schema, { components });
    expect([body.takes({}), body.takes({ no: 1 })]).toEqual([true, false]);
  });

  it.each([
    "#/components/schemas/Gone",
    "other.yaml#/Pet",
    "https://example.test/schema.json",
    "#anchor",
    "#/__proto__",
  ])("that lead nowhere take any value and are reported: %s", ($ref) => {
    const body = bodyOf({ type: "object", properties: { a: { $ref } } }, { components });
    expect(body.takes({ a: Symbol.iterator.toString() })).toBe(true);
    expect(body.warnings).toEqual([
      {
        kind: "reference",
        operationId: "call",
        message: expect.stringContaining(`${$ref} is not part of this document`),
      },
    ]);
  });

  it("keep a description that stands beside them", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/components/schemas/Alias", description: "Here." } },
    };
    expect(bodyOf(schema, { components }).shown()).toMatchObject({
      properties: { a: { description: "Here." } },
    });
  });
});

describe("keywords that cannot be checked are left out and reported", () => {
  it.each([
    ["not", { type: "string", not: { enum: ["x"] } }, "x"],
    ["if", { type: "object", if: { required: ["a"] }, else: { required: ["b"] } }, {}],
    ["dependentRequired", { type: "object", dependentRequired: { a: ["b"] } }, { a: 1 }],
    ["unevaluatedProperties", { type: "object", unevaluatedProperties: false }, { a: 1 }],
    ["pattern", { type: "string", pattern: "(?i)[unclosed" }, "x"],
    [
      "patternProperties",
      { type: "object", patternProperties: { "[": {} }, additionalProperties: false },
      { a: 1 },
    ],
    ["enum", { type: "object", enum: [{ a: 1 }] }, { a: 2 }],
    ["const", { const: ["a"] }, "anything"],
  ])("%s", (keyword, schema, value) => {
    const body = bodyOf(schema, { openapi: "3.1.0" });
    expect(body.takes(value)).toBe(true);
    expect(body.warnings).toEqual([
      {
        kind: "schema",
        operationId: "call",
        message: `These schema keywords are not checked before a call: ${keyword}.`,
      },
    ]);
  });
});

describe("limits that a union would turn against a required property", () => {
  const unique = { type: "array", items: { type: "string" }, uniqueItems: true };
  const some = { type: "object", minProperties: 1, maxProperties: 2 };

  it.each([
    ["nullable", { ...unique, nullable: true }, "No two items are equal."],
    ["a list of types", { ...unique, type: ["array", "null"] }, "No two items are equal."],
    ["a branch", { anyOf: [some, { type: "null" }] }, "Has 1 properties or more. Has 2 properties or fewer."],
  ])("are told instead of checked: %s", (_name, schema, words) => {
    const body = bodyOf({ type: "object", properties: { a: schema }, required: ["a"] });
    expect(body.takes({})).toBe(false);
    expect(body.shown()).toMatchObject({ required: ["a"] });
    expect(JSON.stringify(body.shown())).toContain(words);
  });

  it("are reported where words would not do", () => {
    const schema = {
      anyOf: [
        { type: "array", contains: { type: "string" } },
        { type: "object", propertyNames: { maxLength: 1 } },
      ],
    };
    expect(bodyOf(schema, { openapi: "3.1.0" }).warnings.map(({ message }) => message)).toEqual([
      "These schema keywords are not checked before a call: contains, propertyNames.",
    ]);
  });
});

describe("malformed schemas take what they can", () => {
  it.each([
    [null, "x"],
    ["string", 1],
    [[], {}],
    [{ type: "file" }, "x"],
    [{ type: [] }, 1],
    [{ type: "object", properties: "none", required: true }, {}],
    [
      { type: "object", properties: { a: null, b: { type: "string", required: true } } },
      { a: 1, b: "x" },
    ],
    [{ type: "array", items: null }, [1]],
    [{ type: "string", minLength: "2", enum: [] }, "x"],
    [{ type: "number", multipleOf: 0, minimum: "1" }, 0.3],
    [{ allOf: "x", anyOf: {}, oneOf: null }, "x"],
    [{ type: "object", additionalProperties: null }, { a: 1 }],
  ])("%j", (schema, value) => {
    const body = bodyOf(schema);
    expect(body.takes(value)).toBe(true);
    expect(() => body.shown()).not.toThrow();
  });
});
