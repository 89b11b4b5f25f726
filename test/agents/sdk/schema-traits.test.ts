import { describe, expect, it } from "vitest";
import { z } from "zod";
import { schemaTraits } from "../../../src/agents/sdk/schema-traits.js";
import { answerJsonSchema } from "../../../src/agents/structured/answer-schema.js";

const traits = (schema: z.ZodObject) => schemaTraits(answerJsonSchema(schema));

const tree = z.object({
  get children(): z.ZodArray<typeof tree> {
    return z.array(tree);
  },
});

describe("schemaTraits", () => {
  it("finds nothing remarkable in a closed object of required properties", () => {
    expect(traits(z.object({ a: z.string(), b: z.array(z.object({ c: z.int() })) }))).toMatchObject({
      optional: 0,
      open: false,
      recursive: false,
    });
  });

  it("counts the optional properties of all objects", () => {
    const inner = z.object({ b: z.string().optional(), c: z.string().default("x"), d: z.string() });
    expect(traits(z.object({ a: z.string().optional(), inner, list: z.array(inner) })).optional).toBe(5);
  });

  it.each([
    ["maps", z.record(z.string(), z.string())],
    ["loose objects", z.looseObject({})],
    ["open objects inside lists and unions", z.array(z.union([z.string(), z.record(z.string(), z.int())]))],
  ])("sees %s as open", (_name, field) => {
    expect(traits(z.object({ field })).open).toBe(true);
  });

  it("sees recursion", () => {
    expect(traits(z.object({ tree })).recursive).toBe(true);
  });

  it("collects keywords, not names of properties and not data", () => {
    const { keywords } = traits(z.object({ oneOf: z.enum(["not"]), default: z.string() }));
    expect(keywords.has("enum")).toBe(true);
    for (const word of ["oneOf", "not", "default"]) expect(keywords.has(word)).toBe(false);
  });
});
