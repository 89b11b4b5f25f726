import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { exampleOf } from "../../src/model/example-row.js";

const tree: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).optional();
  },
});

describe("a row to begin with", () => {
  it("has the members that must be there, and no others", () => {
    const schema = z.object({ text: z.string(), note: z.string().optional(), amount: z.number() });
    expect(exampleOf(schema)).toEqual({ text: "…", amount: 0 });
  });

  it.each<[string, z.ZodType]>([
    ["choices", z.object({ level: z.enum(["low", "high"]), kind: z.literal("order"), ok: z.boolean() })],
    ["bounds", z.object({ n: z.number().min(3), m: z.int().gt(4), s: z.string().min(12) })],
    [
      "formats",
      z.object({ at: z.iso.datetime(), day: z.iso.date(), mail: z.email(), id: z.uuid(), at2: z.url() }),
    ],
    ["lists", z.object({ tags: z.array(z.string()).min(2), pair: z.tuple([z.string(), z.number()]) })],
    [
      "objects in objects",
      z.object({ order: z.object({ lines: z.array(z.object({ sku: z.string() })).min(1) }) }),
    ],
    ["alternatives", z.object({ who: z.union([z.string(), z.number()]), maybe: z.string().nullable() })],
    ["discriminated unions", z.discriminatedUnion("k", [z.object({ k: z.literal("a"), n: z.number() })])],
    ["intersections", z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() }))],
    ["records and anything", z.object({ by: z.record(z.string(), z.number()), any: z.unknown() })],
    ["schemas of themselves", tree],
  ])("fits a schema with %s", (_what, schema) => {
    expect(schema.safeParse(exampleOf(schema))).toMatchObject({ success: true });
  });

  it("is a small number where nothing asks for another", () => {
    expect(exampleOf(z.object({ a: z.int(), b: z.int32(), c: z.number() }))).toEqual({ a: 0, b: 0, c: 0 });
  });

  it.each<[string, z.ZodType]>([
    ["a pattern", z.object({ v: z.string().regex(/^v\d+$/) })],
    ["a beginning", z.object({ v: z.string().startsWith("ord_") })],
    ["a refinement that it does not meet", z.object({ v: z.string().refine((v) => v.length === 7) })],
    ["more than is shown", z.object({ list: z.array(z.string()).min(5) })],
  ])("is left out where the schema asks for %s", (_what, schema) => {
    expect(exampleOf(schema)).toBeUndefined();
  });

  it("is left out where a rule awaits, and what that throws is no error", async () => {
    const stray: unknown[] = [];
    const hear = (reason: unknown) => stray.push(reason);
    process.on("unhandledRejection", hear);
    onTestFinished(() => void process.off("unhandledRejection", hear));
    const unknown = async (): Promise<boolean> => {
      throw new Error("nobody can be asked");
    };
    expect(exampleOf(z.object({ id: z.string().refine(unknown) }))).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(stray).toEqual([]);
  });

  it("is what goes into a transform, before and after what is checked", () => {
    const after = z.string().transform((text) => text.length);
    const before = z.preprocess(String, z.string());
    expect(exampleOf(z.object({ after, before: before.optional() }))).toEqual({ after: "…" });
    expect(exampleOf(z.object({ list: z.array(before).min(1) }))).toBeDefined();
  });

  it("is found in no time where the schema asks for itself, or for much", () => {
    const endless: z.ZodType = z.object({
      get next() {
        return endless;
      },
    });
    expect(exampleOf(endless)).toBeUndefined();
    expect(exampleOf(z.object({ list: z.array(z.string()).min(10_000) }))).toBeUndefined();
  });
});
