import { describe, expect, it } from "vitest";
import { bodyOf, takesAndRefuses } from "./support/tool-body.js";

describe("scalars", () => {
  takesAndRefuses([
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

it("a format that is not checked as such is described to the model", () => {
  const shownFor = (schema: unknown) => bodyOf(schema).shown();
  expect(shownFor({ type: "string", format: "byte", description: "The file." })).toMatchObject({
    description: "The file. Format: byte.",
  });
  expect(shownFor({ type: "string", format: "uuid" })).toMatchObject({ description: "Format: uuid." });
  expect(shownFor({ type: "string", format: "date" })).not.toHaveProperty("description");
  expect(shownFor({ type: "integer", format: "int64" })).not.toHaveProperty("description");
});

describe("objects", () => {
  takesAndRefuses([
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
    ["`required: true` where a list belongs", { description: "a", required: true }, ["x", 1, { a: 1 }], []],
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

  it("gain nothing that was not given: a default is described to the model, not sent", () => {
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
  takesAndRefuses([
    ["items", { type: "array", items: { type: "integer" } }, [[], [1, 2]], [["1"], {}]],
    ["a number of items", { type: "array", items: {}, minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3]]],
    ["no two equal items", { type: "array", items: {}, uniqueItems: true }, [[1, 2]], [[1, 1]]],
    ["items of any kind", { type: "array" }, [[1, "a"]], ["a"]],
    ["a missing `type`", { items: { type: "string" } }, [["a"]], [[1], "a"]],
  ]);
});
