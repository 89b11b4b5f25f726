import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServiceError } from "../../../src/errors/service-error.js";
import { MAX_INPUT_BYTES, MAX_INPUT_DEPTH } from "../../../src/store/limits.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { validateInput } from "../../../src/store/tables/validate-input.js";

function validator(schema?: z.ZodObject): (value: unknown) => Record<string, unknown> {
  const { input } = deriveTables(schema === undefined ? {} : { input: schema });
  return (value) => validateInput(input, value);
}

function refusal(schema: z.ZodObject | undefined, value: unknown): ServiceError {
  try {
    validator(schema)(value);
  } catch (error) {
    expect((error as ServiceError).code).toBe("INVALID_INPUT");
    return error as ServiceError;
  }
  throw new Error("the input was accepted");
}

describe("run input", () => {
  it("has a member called __proto__ as any other, and an object of another kind is refused in words", () => {
    const input = JSON.parse('{"__proto__":{"a":1},"b":2}') as unknown;
    for (const schema of [undefined, z.looseObject({})]) {
      expect(JSON.stringify(validator(schema)(input))).toBe(JSON.stringify(input));
    }
    expect(refusal(undefined, { a: Object.create({ b: 1 }) }).message).toContain(
      'Input field "a" is an object with a prototype of its own, not plain data.',
    );
  });

  it("is taken as given: no defaults, no transforms, no coercion", () => {
    const schema = z.object({
      topic: z.string().trim().toLowerCase(),
      tone: z.string().default("dry"),
      size: z.string().transform(Number),
    });
    expect(validator(schema)({ topic: "  Tea ", size: "5" })).toEqual({ topic: "  Tea ", size: "5" });
  });

  it("may lack what is optional, nullable or has a default", () => {
    const schema = z.object({
      optional: z.int().optional(),
      nullable: z.int().nullable(),
      nullish: z.int().nullish(),
      preset: z.int().default(3),
      nested: z.object({ a: z.int() }).optional(),
    });
    expect(validator(schema)({})).toEqual({ nullable: null });
    expect(validator(schema)({ nullish: null, preset: undefined })).toEqual({
      nullable: null,
      nullish: null,
    });
  });

  it("is refused once, with every field that does not fit, what was expected and what arrived", () => {
    const schema = z.object({
      topic: z.string(),
      depth: z.int(),
      ratio: z.number(),
      quick: z.boolean(),
      tone: z.enum(["dry", "warm"]),
      due: z.date(),
      tags: z.array(z.string()),
    });
    const error = refusal(schema, {
      depth: 1.5,
      ratio: Number.POSITIVE_INFINITY,
      quick: "yes",
      tone: "loud",
      due: "tomorrow",
      tags: ["a", 2],
      extra: true,
    });
    const issues = error.details?.["issues"] as { path: string; message: string; received: string }[];
    expect(issues.map(({ path, message }) => [path, message])).toEqual([
      ["extra", "expected no field of this name, received a boolean"],
      ["topic", "expected a string, received nothing"],
      ["depth", "expected an integer, received a number"],
      ["ratio", "expected a number, received Infinity"],
      ["quick", "expected a boolean, received a string"],
      ["tone", 'expected one of "dry", "warm", received "loud"'],
      ["due", "expected a Date or an ISO 8601 string, received a string"],
      ["tags[1]", "expected a string, received a number"],
    ]);
    for (const { path, message } of issues) expect(error.message).toContain(`${path}: ${message}`);
    expect(issues.at(-1)?.received).toBe("a number");
  });

  it("does not show what a field contained, only its type", () => {
    expect(refusal(z.object({ port: z.int() }), { port: "hunter2" }).message).not.toContain("hunter2");
  });

  it("is checked by presence and type, and by none of the schema's rules", () => {
    const schema = z.object({
      name: z.string().min(5),
      list: z.array(z.int().positive()).min(1),
      mail: z.object({ to: z.email(), at: z.string().regex(/x/) }).refine(() => false),
    });
    const given = { name: "ab", list: [-1], mail: { to: "nobody", at: "" } };
    expect(validator(schema)(given)).toEqual(given);
    expect(validator(schema)({ ...given, list: [] })).toEqual({ ...given, list: [] });
  });

  it("stores the given value of a field that its schema would change", () => {
    const schema = z.object({ options: z.object({ level: z.int().default(1), name: z.string().trim() }) });
    expect(validator(schema)({ options: { name: " x " } })).toEqual({ options: { name: " x " } });
  });

  it("takes a date as Date or as ISO 8601 text, and gives a Date", () => {
    const at = new Date("2024-05-06T07:08:09.000Z");
    const schema = z.object({ at: z.date(), maybe: z.date().nullish() });
    for (const given of [at, at.toISOString(), "2024-05-06T07:08:09Z", "2024-05-06T09:08:09+02:00"]) {
      expect(validator(schema)({ at: given })).toEqual({ at });
    }
    expect(validator(schema)({ at, maybe: "2024-05-06" })).toEqual({ at, maybe: new Date("2024-05-06") });
    for (const wrong of [
      "2024-13-01",
      "6 May 2024",
      1_700_000_000_000,
      "2024-02-30T25:00:00Z",
      "2024-02-30",
      "2024-05-06T07:08:09",
    ]) {
      expect(refusal(schema, { at: wrong }).message).toContain("at: expected a Date");
    }
  });

  it("is refused where null stands for an absent field", () => {
    expect(refusal(z.object({ a: z.string().optional() }), { a: null }).message).toContain("received null");
  });

  it("of a loose schema keeps extra fields, checked by the catch-all", () => {
    const schema = z.object({ a: z.string() }).catchall(z.int());
    expect(validator(schema)({ a: "x", more: 2 })).toEqual({ a: "x", more: 2 });
    expect(refusal(schema, { a: "x", more: "2" }).details?.["issues"]).toEqual([
      expect.objectContaining({ path: "more" }),
    ]);
  });

  it("runs no code of the schema", () => {
    const never = () => {
      throw new Error("called");
    };
    const schema = z.object({
      list: z.array(z.string().refine(never)).superRefine(never),
      later: z.array(z.string()).refine(async () => true),
      made: z.object({ a: z.string().transform(never) }),
      preset: z.object({ a: z.string().default(never) }),
    });
    const given = { list: ["a"], later: [], made: { a: "x" }, preset: {} };
    expect(validator(schema)(given)).toEqual(given);
  });

  it.each([[null], [[]], ["text"], [5], [undefined], [new Map()]])(
    "must be an object: %j is not",
    (value) => {
      for (const schema of [undefined, z.object({})]) {
        expect(refusal(schema, value).message).toContain("the input: expected an object");
      }
    },
  );

  it("may be any object without an input schema", () => {
    const value = { list: [1, { deep: null }], at: new Date(0), big: 5n };
    expect(validator()(value)).toEqual(value);
    expect(refusal(undefined, { bad: new Set() }).message).toContain('"bad" is an instance of Set');
  });
});

describe("the limits of an input", () => {
  const blob = z.object({ blob: z.string(), note: z.string().optional() });
  const overhead = '{"blob":""}'.length;

  it("take one at the size limit and refuse one byte more, naming field, size and limit", () => {
    const most = MAX_INPUT_BYTES - overhead;
    expect(validator(blob)({ blob: "x".repeat(most) })["blob"]).toHaveLength(most);
    for (const schema of [blob, undefined]) {
      const error = refusal(schema, { blob: "x".repeat(most + 1) });
      expect(error.details).toMatchObject({ size: MAX_INPUT_BYTES + 1, limit: MAX_INPUT_BYTES });
      expect(error.message).toContain('"blob"');
      expect(error.message).toContain(String(MAX_INPUT_BYTES + 1));
    }
  });

  it.each([
    ["with a schema", z.object({ n: z.any() })],
    ["without a schema", undefined],
  ])("name the whole path of what makes one too large, %s", (_what, schema) => {
    const error = refusal(schema, { n: { a: [1, { deep: "x".repeat(MAX_INPUT_BYTES) }] } });
    expect(error.message).toContain('"n.a[1].deep"');
    expect(error.details).toMatchObject({ path: "n.a[1].deep", issues: [{ path: "n.a[1].deep" }] });
  });

  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  it.each([
    ["with a schema", z.object({ tree: z.any() })],
    ["without a schema", undefined],
  ])("take one at the deepest level and refuse one level more, %s", (_what, schema) => {
    // The input itself is the first level.
    const deepest = { tree: nested(MAX_INPUT_DEPTH - 1) };
    expect(validator(schema)(deepest)).toEqual(deepest);
    const error = refusal(schema, { tree: nested(MAX_INPUT_DEPTH) });
    expect(error.message).toMatch(/"tree(\[0\])+" is nested deeper than/);
  });

  it("refuse a cyclic input", () => {
    const ring: Record<string, unknown> = {};
    ring["self"] = ring;
    expect(refusal(undefined, ring).message).toContain('"self" refers to itself');
  });
});
