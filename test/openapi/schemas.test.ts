import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiToolSync, type OpenApiWarning } from "../../src/openapi/index.js";
import { specOfBody } from "./support/spec-builder.js";

/** What a tool whose body has this schema takes and refuses. */
function bodyOf(schema: unknown, { openapi = "3.0.3", ...rest }: Record<string, unknown> = {}) {
  const warnings: OpenApiWarning[] = [];
  const { inputSchema } = createOpenApiToolSync(specOfBody(schema, { openapi, ...rest }), "call", {
    onWarning: (warning) => warnings.push(warning),
  });
  return {
    warnings,
    takes: (value: unknown) => inputSchema.safeParse({ body: value }).success,
    parsed: (value: unknown) => (inputSchema.parse({ body: value }) as { body: unknown }).body,
    shown: () => (z.toJSONSchema(inputSchema, { io: "input" }).properties as Record<string, unknown>)["body"],
  };
}

type Case = [name: string, schema: unknown, taken: unknown[], refused: unknown[]];

function check(cases: Case[], rest?: Record<string, unknown>): void {
  it.each(cases)("%s", (_name, schema, taken, refused) => {
    const body = bodyOf(schema, rest);
    for (const value of taken) expect([value, body.takes(value)]).toEqual([value, true]);
    for (const value of refused) expect([value, body.takes(value)]).toEqual([value, false]);
    // What a model is shown has to exist as well.
    expect(() => body.shown()).not.toThrow();
    expect(body.warnings).toEqual([]);
  });
}

describe("scalars", () => {
  check([
    ["string lengths", { type: "string", minLength: 2, maxLength: 3 }, ["ab", "abc"], ["a", "abcd", 1, null]],
    ["patterns match anywhere", { type: "string", pattern: "b+" }, ["abc"], ["ac"]],
    ["email", { type: "string", format: "email" }, ["a@example.com"], ["a"]],
    ["uri", { type: "string", format: "uri" }, ["https://example.com/x?y"], ["no uri"]],
    [
      "date-time with any offset",
      { type: "string", format: "date-time" },
      ["2024-02-29T10:00:00+02:00", "2024-02-29T10:00:00Z"],
      ["2024-02-30T10:00:00Z", "today"],
    ],
    ["date", { type: "string", format: "date" }, ["2024-02-29"], ["2023-02-29"]],
    [
      "uuid of any version",
      { type: "string", format: "uuid" },
      ["00000000-0000-0000-0000-000000000001", "A987FBC9-4BED-0078-AF07-9141BA07C9F3"],
      ["x", "00000000000000000000000000000001"],
    ],
    ["formats without a check", { type: "string", format: "password" }, ["x"], [1]],
    ["relative references", { type: "string", format: "uri-reference" }, ["../a"], []],
    ["integers", { type: "integer", minimum: 1, maximum: 3 }, [1, 3], [0, 4, 1.5, "1"]],
    [
      "int64 beyond what JavaScript counts",
      { type: "integer", format: "int64", maximum: 2 ** 63 },
      [2 ** 40],
      [1.5],
    ],
    ["numbers", { type: "number", minimum: 0.5, multipleOf: 0.5 }, [0.5, 2], [0, 0.7]],
    ["booleans", { type: "boolean" }, [true, false], ["true", 0]],
    ["enumerations", { type: "string", enum: ["a", "b", "a"] }, ["a", "b"], ["c", 1]],
    [
      "enumerations of numbers and words",
      { enum: [1, "two", null, true] },
      [1, "two", null, true],
      [2, false],
    ],
    ["one value", { enum: ["only"] }, ["only"], ["other"]],
  ]);
});

describe("objects", () => {
  check([
    [
      "required and optional properties",
      { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["a"] },
      [{ a: "x" }, { a: "x", b: 1 }],
      [{}, { b: 1 }, { a: 1 }, []],
    ],
    ["properties nobody described", { type: "object", properties: {} }, [{ any: 1 }], []],
    [
      "no other properties",
      { type: "object", properties: { a: {} }, additionalProperties: false },
      [{}, { a: 1 }],
      [{ b: 1 }],
    ],
    ["maps", { type: "object", additionalProperties: { type: "integer" } }, [{}, { x: 1 }], [{ x: "1" }]],
    ["maps of anything", { type: "object", additionalProperties: true }, [{ x: [] }], ["x"]],
    [
      "a required property that is described nowhere",
      { type: "object", required: ["a"] },
      [{ a: null }],
      [{}],
    ],
    ["a missing `type`", { properties: { a: { type: "string" } }, required: ["a"] }, [{ a: "x" }], [{}, "x"]],
    [
      "a number of properties",
      { type: "object", minProperties: 1, maxProperties: 2 },
      [{ a: 1 }],
      [{}, { a: 1, b: 1, c: 1 }],
    ],
    [
      "property names that objects inherit",
      { type: "object", properties: { constructor: { type: "string" } }, required: ["constructor"] },
      [{ constructor: "x" }],
      [{}],
    ],
  ]);

  it("lose nothing that was given", () => {
    const body = bodyOf({ type: "object", properties: { a: { type: "string" } } });
    expect(body.parsed({ a: "x", more: { deep: [1] } })).toEqual({ a: "x", more: { deep: [1] } });
  });

  it("gain nothing that was not given: a default is told to the model, not sent", () => {
    const body = bodyOf({
      type: "object",
      properties: {
        status: { type: "string", default: "available", description: "State." },
        n: { type: "integer", default: 0 },
      },
    });
    expect(body.parsed({})).toEqual({});
    expect(body.shown()).toMatchObject({
      properties: {
        status: { description: 'State. Default: "available".' },
        n: { description: "Default: 0." },
      },
    });
  });
});

describe("read-only properties", () => {
  const schema = {
    type: "object",
    properties: { id: { type: "integer", readOnly: true }, name: { type: "string" } },
    required: ["id", "name"],
  };

  it("are neither shown nor required", () => {
    const body = bodyOf(schema);
    expect(body.takes({ name: "x" })).toBe(true);
    expect((body.shown() as { properties: object }).properties).not.toHaveProperty("id");
  });

  it("are not required by a branch that describes the same value", () => {
    const base = { type: "object", properties: schema.properties };
    const body = bodyOf(
      { allOf: [{ $ref: "#/components/schemas/Base" }, { required: ["id", "name"] }] },
      { components: { schemas: { Base: base } } },
    );
    expect(body.takes({ name: "x" })).toBe(true);
    expect(body.takes({})).toBe(false);
  });

  it("are recognised behind a reference", () => {
    const components = { schemas: { Id: { type: "integer", readOnly: true } } };
    const body = bodyOf(
      { type: "object", properties: { id: { $ref: "#/components/schemas/Id" } }, required: ["id"] },
      { components },
    );
    expect(body.takes({})).toBe(true);
  });

  it("are themselves further down", () => {
    expect(bodyOf({ type: "array", items: schema }).takes([{ name: "x" }])).toBe(true);
    expect(bodyOf({ type: "array", items: schema }).takes([{}])).toBe(false);
  });
});

describe("arrays", () => {
  check([
    ["items", { type: "array", items: { type: "integer" } }, [[], [1, 2]], [["1"], {}]],
    ["a number of items", { type: "array", items: {}, minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
    ["no two equal items", { type: "array", items: {}, uniqueItems: true }, [[1, 2]], [[1, 1]]],
    ["items of any kind", { type: "array" }, [[1, "a"]], ["a"]],
    ["a missing `type`", { items: { type: "string" } }, [["a"]], [[1], "a"]],
  ]);
});

describe("compositions", () => {
  const cat = {
    type: "object",
    properties: { kind: { enum: ["cat"] }, lives: { type: "integer" } },
    required: ["kind", "lives"],
  };
  const dog = {
    type: "object",
    properties: { kind: { enum: ["dog"] }, barks: { type: "boolean" } },
    required: ["kind"],
  };
  check([
    [
      "allOf",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
        ],
      },
      [{ a: "1", b: "2" }],
      [{ a: "1" }, { b: "2" }],
    ],
    [
      "allOf beside properties",
      { properties: { a: { type: "string" } }, required: ["a"], allOf: [dog] },
      [{ a: "1", kind: "dog" }],
      [{ a: "1" }, { kind: "dog" }],
    ],
    [
      "allOf of one reference-like branch",
      { allOf: [cat], description: "A cat." },
      [{ kind: "cat", lives: 9 }],
      [{ kind: "cat" }],
    ],
    ["anyOf", { anyOf: [cat, dog] }, [{ kind: "cat", lives: 9 }, { kind: "dog" }], [{ kind: "cat" }, {}]],
    ["oneOf", { oneOf: [cat, dog] }, [{ kind: "dog", barks: true }], [{ kind: "fish" }]],
    ["oneOf whose branches overlap", { oneOf: [{ type: "integer" }, { type: "number" }] }, [1, 1.5], ["1"]],
    [
      "anyOf and oneOf together",
      { anyOf: [{ type: "string" }, { type: "integer" }], oneOf: [{ type: "integer" }, { type: "boolean" }] },
      [1],
      ["a", true],
    ],
    [
      "anyOf and allOf together",
      {
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
        allOf: [{ properties: { a: { type: "string" } } }],
      },
      [{ a: "x" }, { b: 1 }],
      [{}, { a: 1 }],
    ],
    [
      "anyOf beside a type",
      {
        type: "object",
        properties: { n: { type: "integer" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      [{ n: 1, a: 1 }],
      [{ n: 1 }, { n: "1", a: 1 }],
    ],
    [
      "closed branches of allOf",
      {
        allOf: [
          { type: "object", properties: { a: {} }, additionalProperties: false },
          { type: "object", properties: { b: {} }, additionalProperties: false },
        ],
      },
      [{ a: 1, b: 1 }],
      [{ c: 1 }],
    ],
    ["an empty list of branches", { type: "string", allOf: [], anyOf: [], oneOf: [] }, ["a"], [1]],
  ]);
});

describe("what only OpenAPI 3.0 has", () => {
  check([
    ["nullable", { type: "string", nullable: true }, ["a", null], [1]],
    ["nullable enumerations", { type: "string", nullable: true, enum: ["a", "b"] }, ["a", null], ["c"]],
    [
      "nullable enumerations that list null",
      { type: "string", nullable: true, enum: ["a", null] },
      ["a", null],
      ["c"],
    ],
    [
      "nullable compositions",
      { nullable: true, allOf: [{ type: "object", required: ["a"] }] },
      [{ a: 1 }, null],
      [{}],
    ],
    ["nullable: false", { type: "string", nullable: false }, ["a"], [null]],
    [
      "exclusive bounds as booleans",
      { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
      [0.1, 1],
      [0, 1.1],
    ],
  ]);

  it("nullable beside a reference", () => {
    const components = { schemas: { Name: { type: "string" } } };
    const body = bodyOf(
      { type: "object", properties: { n: { $ref: "#/components/schemas/Name", nullable: true } } },
      { components },
    );
    expect([body.takes({ n: null }), body.takes({ n: "x" }), body.takes({ n: 1 })]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("what only OpenAPI 3.1 has", () => {
  check(
    [
      [
        "lists of types",
        { type: ["string", "integer", "null"], maxLength: 2 },
        ["ab", 5, null],
        ["abc", true],
      ],
      [
        "exclusive bounds as numbers",
        { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
        [0.5],
        [0, 1],
      ],
      ["const", { const: "fixed" }, ["fixed"], ["other"]],
      ["const null", { const: null }, [null], [0]],
      ["null as a branch", { anyOf: [{ type: "string" }, { type: "null" }] }, ["a", null], [1]],
      ["boolean schemas", { type: "object", properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],
      [
        "prefixItems",
        { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 2 },
        [["a", 1]],
        [["a"], [1, "a"], ["a", 1, 2]],
      ],
      [
        "contains",
        { type: "array", contains: { type: "integer" }, maxContains: 1 },
        [["a", 1]],
        [["a"], [1, 2]],
      ],
      [
        "patternProperties",
        { type: "object", patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
        [{ "x-a": "1" }],
        [{ "x-a": 1 }, { y: "1" }],
      ],
      [
        "propertyNames",
        { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
        [{ abc: 1 }],
        [{ ABC: 1 }],
      ],
    ],
    { openapi: "3.1.0" },
  );

  it("constraints beside a reference", () => {
    const components = { schemas: { Name: { type: "string", minLength: 2 } } };
    const body = bodyOf(
      { $ref: "#/components/schemas/Name", maxLength: 3, type: "string" },
      { openapi: "3.1.0", components },
    );
    expect(["a", "ab", "abcd"].map(body.takes)).toEqual([false, true, false]);
  });

  it("definitions inside a schema", () => {
    const schema = { $ref: "#/components/schemas/Box" };
    const components = {
      schemas: {
        Box: {
          type: "object",
          properties: { size: { $ref: "#/components/schemas/Box/$defs/Size" } },
          $defs: { Size: { enum: ["s", "l"] } },
        },
      },
    };
    const body = bodyOf(schema, { openapi: "3.1.0", components });
    expect([body.takes({ size: "s" }), body.takes({ size: "m" })]).toEqual([true, false]);
  });
});

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
