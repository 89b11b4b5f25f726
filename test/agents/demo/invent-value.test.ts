import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inventValue } from "../../../src/agents/demo/invent-value.js";
import { answerJsonSchema, validateAnswer } from "../../../src/agents/structured/answer-schema.js";

const invented = (schema: z.ZodObject) => inventValue(answerJsonSchema(schema));

const node = z.object({
  name: z.string(),
  get children(): z.ZodArray<typeof node> {
    return z.array(node);
  },
  get parent(): z.ZodOptional<z.ZodNullable<typeof node>> {
    return z.nullable(node).optional();
  },
});

/** Everything that a row may be made of. */
const fields: Record<string, z.ZodType> = {
  text: z.string(),
  "text of a length": z.string().min(30).max(40),
  "short text": z.string().max(3),
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  "date and time as text": z.iso.datetime(),
  "date as text": z.iso.date(),
  "IPv4 address": z.ipv4(),
  "simple pattern": z.string().regex(/^[a-z]+$/),
  number: z.number(),
  "number in a range": z.number().min(2.5).max(3.5),
  "number below zero": z.number().max(-3),
  "number above a bound": z.number().gt(1),
  "number between bounds": z.number().gt(0).lt(1),
  integer: z.int(),
  "integer in a range": z.int().min(10).max(20),
  "positive integer": z.int().positive(),
  "multiple of five": z.int().multipleOf(5).min(11),
  "big integer": z.bigint(),
  boolean: z.boolean(),
  date: z.date(),
  literal: z.literal("only"),
  enum: z.enum(["low", "high"]),
  list: z.array(z.string()),
  "list of three at least": z.array(z.int()).min(3),
  "list of one at most": z.array(z.int()).max(1),
  tuple: z.tuple([z.string(), z.number()]),
  object: z.object({ inner: z.object({ deep: z.string() }) }),
  "optional text": z.string().optional(),
  "nullable text": z.string().nullable(),
  default: z.string().default("x"),
  union: z.union([z.number(), z.string()]),
  "union by discriminator": z.discriminatedUnion("k", [
    z.object({ k: z.literal("a"), n: z.int() }),
    z.object({ k: z.literal("b") }),
  ]),
  intersection: z.intersection(z.object({ a: z.string() }), z.object({ b: z.int() })),
  map: z.record(z.string(), z.int()),
  "map of given keys": z.record(z.enum(["x", "y"]), z.string()),
  anything: z.unknown(),
  "recursive list": z.array(node),
};

describe("inventValue fits the schema of", () => {
  it.each(Object.entries(fields))("%s", async (_name, field) => {
    const schema = z.object({ field });
    expect(await validateAnswer(schema, invented(schema))).toMatchObject({ ok: true });
  });

  it("all of these together, the same way every time", async () => {
    const schema = z.object(fields);
    expect(await validateAnswer(schema, invented(schema))).toMatchObject({ ok: true });
    expect(invented(schema)).toEqual(invented(schema));
  });
});

describe("what inventValue invents", () => {
  it("names the property in texts, in words", () => {
    expect(invented(z.object({ nextStep: z.string(), due_at: z.string() }))).toEqual({
      nextStep: "Demo next step",
      due_at: "Demo due at",
    });
  });

  it("numbers the items of a list", () => {
    expect(invented(z.object({ tags: z.array(z.string()) }))).toEqual({
      tags: ["Demo tags 1", "Demo tags 2"],
    });
  });

  it("says yes, so that loops that wait for approval come to an end", () => {
    expect(invented(z.object({ approved: z.boolean() }))).toEqual({ approved: true });
  });

  it("fills optional and nullable properties", () => {
    expect(invented(z.object({ a: z.int().optional(), b: z.int().nullable() }))).toEqual({ a: 1, b: 1 });
  });
});
