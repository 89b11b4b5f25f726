import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldTypeOf } from "../../../src/store/tables/field-type.js";

const kindOf = (schema: z.ZodType, side: "input" | "output" = "output") => fieldTypeOf(schema, side).kind;

describe("the column of a field", () => {
  it.each([
    ["string", z.string()],
    ["string format", z.email()],
    ["ISO date text", z.iso.datetime()],
    ["trimmed string", z.string().trim().min(1)],
    ["enum", z.enum(["a", "b"])],
    ["string literal", z.literal("a")],
    ["several string literals", z.literal(["a", "b"])],
    ["template literal", z.templateLiteral(["v", z.number()])],
    ["branded string", z.string().brand("id")],
  ])("is text for a %s", (_what, schema) => {
    expect(kindOf(schema)).toBe("text");
  });

  it.each([
    ["number", z.number(), "real"],
    ["bounded number", z.number().min(0).max(1), "real"],
    ["float literal", z.literal(1.5), "real"],
    ["coerced number", z.coerce.number(), "real"],
    ["int", z.int(), "integer"],
    ["number().int()", z.number().int().positive(), "integer"],
    ["int32", z.int32(), "integer"],
    ["int literal", z.literal(7), "integer"],
    ["numeric enum", z.enum({ low: 1, high: 2 }), "integer"],
    ["boolean", z.boolean(), "boolean"],
    ["boolean literal", z.literal(true), "boolean"],
    ["stringbool", z.stringbool(), "boolean"],
    ["date", z.date(), "date"],
  ])("of a %s has the scalar's own kind", (_what, schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });

  it.each([
    ["bigint", z.bigint()],
    ["object", z.object({ a: z.string() })],
    ["array", z.array(z.string())],
    ["tuple", z.tuple([z.string()])],
    ["record", z.record(z.string(), z.number())],
    ["union", z.union([z.string(), z.number()])],
    ["discriminated union", z.discriminatedUnion("k", [z.object({ k: z.literal("a") })])],
    ["intersection", z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }))],
    ["mixed literal", z.literal(["a", 1])],
    ["null", z.null()],
    ["any", z.any()],
    ["unknown", z.unknown()],
    ["lazy", z.lazy(() => z.string())],
    ["transform result", z.string().transform((text) => text.length)],
    ["JSON value", z.json()],
  ])("is JSON for a %s", (_what, schema) => {
    expect(kindOf(schema)).toBe("json");
  });

  it.each([
    ["optional", z.int().optional(), { optional: true, nullable: false }],
    ["nullable", z.int().nullable(), { optional: false, nullable: true }],
    ["readonly", z.int().readonly(), { optional: false, nullable: false }],
    ["optional made required", z.int().optional().nonoptional(), { optional: false, nullable: false }],
  ])("keeps the scalar of an %s field", (_what, schema, flags) => {
    expect(fieldTypeOf(schema, "output")).toMatchObject({ kind: "integer", ...flags });
  });

  it("is JSON for a scalar that may be absent and null, which one NULL cannot tell apart", () => {
    expect(fieldTypeOf(z.int().nullish(), "output")).toMatchObject({ kind: "json", valueKind: "integer" });
  });

  it("follows what parsing gives for outputs, and what is given for inputs", () => {
    const count = z.string().pipe(z.coerce.number());
    expect([kindOf(count, "output"), kindOf(count, "input")]).toEqual(["real", "text"]);
    const withDefault = z.string().default("x");
    expect(fieldTypeOf(withDefault, "output").optional).toBe(false);
    expect(fieldTypeOf(withDefault, "input").optional).toBe(true);
    expect(kindOf(z.preprocess(String, z.string()), "output")).toBe("text");
    expect(kindOf(z.preprocess(String, z.string()), "input")).toBe("json");
  });
});
