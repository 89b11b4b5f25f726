import { describe, expect, it } from "vitest";
import { bodyOf, takesAndRefuses } from "./support/tool-body.js";

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
  takesAndRefuses([
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
  takesAndRefuses([
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
  takesAndRefuses(
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
        "prefixItems that anything fits: the number of items is told, not checked",
        { type: "array", prefixItems: [{}], minItems: 1 },
        [[], ["a"]],
        ["a"],
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
