import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServiceError } from "../../../src/errors/service-error.js";
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_DEPTH } from "../../../src/store/limits.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import type { OutputCodec } from "../../../src/store/tables/output-codec.js";

function codecOf(schema: z.ZodObject): OutputCodec {
  return deriveTables({ report: schema }).outputs.get("report") as OutputCodec;
}

function refusal(codec: OutputCodec, row: Record<string, unknown>): ServiceError {
  try {
    codec.encode(row);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("the row was accepted");
}

describe("encoding a row", () => {
  it.each([
    ["a Map", new Map([["k", 1]])],
    ["a class instance", new URL("https://example.org")],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
  ])("refuses %s with INVALID_OUTPUT, the path and no retry", (_what, value) => {
    const error = refusal(codecOf(z.object({ body: z.any() })), { body: { parts: [value] } });
    expect(error.code).toBe("INVALID_OUTPUT");
    expect(error.retryable).toBe(false);
    expect(error.message).toContain('"body.parts[0]" of output "report"');
    expect(error.details).toMatchObject({ outputKey: "report", path: "body.parts[0]" });
  });

  it.each([
    [z.string(), 5, "is a number; its column holds a string"],
    [z.int(), 1.5, "is a number; its column holds an integer"],
    [z.int(), 2 ** 60, "is a number; its column holds an integer"],
    [z.number(), Number.NaN, "is NaN; its column holds a number"],
    [z.boolean(), "yes", "is a string; its column holds a boolean"],
    [z.date(), "2024-01-01", "is a string; its column holds a Date"],
    [z.date(), new Date(Number.NaN), "is an invalid Date"],
    [z.string(), undefined, "is nothing"],
    [z.string(), null, "is null"],
    [z.string().optional(), null, "is null"],
    [z.string().nullable(), undefined, "is nothing"],
  ])("refuses a value that its column does not hold: %#", (schema, value, problem) => {
    expect(refusal(codecOf(z.object({ field: schema })), { field: value }).message).toContain(
      `Field "field" of output "report" ${problem}`,
    );
  });

  it("refuses a value deeper than the limit, and takes one at the limit", () => {
    const codec = codecOf(z.object({ tree: z.any() }));
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(codec.encode({ tree: nested(MAX_OUTPUT_DEPTH) })).toHaveLength(1);
    expect(refusal(codec, { tree: nested(MAX_OUTPUT_DEPTH + 1) }).message).toContain(
      `deeper than ${MAX_OUTPUT_DEPTH} levels`,
    );
  });

  it("takes a row at the size limit and refuses one byte more, naming field, size and limit", () => {
    const codec = codecOf(z.object({ title: z.string(), body: z.string() }));
    const row = { title: "t", body: "x".repeat(MAX_OUTPUT_BYTES - 1) };
    expect(codec.encode(row)).toHaveLength(2);
    const error = refusal(codec, { ...row, title: "tt" });
    expect(error.code).toBe("INVALID_OUTPUT");
    expect(error.retryable).toBe(false);
    expect(error.details).toEqual({
      outputKey: "report",
      path: "body",
      size: MAX_OUTPUT_BYTES + 1,
      limit: MAX_OUTPUT_BYTES,
    });
    for (const fact of ['"body"', String(MAX_OUTPUT_BYTES + 1), String(MAX_OUTPUT_BYTES)]) {
      expect(error.message).toContain(fact);
    }
  });

  it.each<[string, z.ZodObject, (big: string) => Record<string, unknown>, string]>([
    [
      "a column of any value",
      z.object({ v: z.any() }),
      (big) => ({ v: { a: [1, { deep: big }] } }),
      "v.a[1].deep",
    ],
    [
      "a member that no field declares",
      z.looseObject({ v: z.int() }),
      (big) => ({ v: 1, more: [big] }),
      "more[0]",
    ],
  ])("names the whole path of what makes a row too large: %s", (_what, schema, make, path) => {
    const error = refusal(codecOf(schema), make("x".repeat(MAX_OUTPUT_BYTES)));
    expect(error.details).toMatchObject({ path, limit: MAX_OUTPUT_BYTES });
    expect(error.message).toContain(`"${path}"`);
  });

  it("counts bytes, not characters", () => {
    const codec = codecOf(z.object({ body: z.string() }));
    const half = MAX_OUTPUT_BYTES / 2;
    expect(codec.encode({ body: "ä".repeat(half) })).toHaveLength(1);
    expect(refusal(codec, { body: `${"ä".repeat(half)}x` }).code).toBe("INVALID_OUTPUT");
  });
});

describe("the signature of a table", () => {
  const base = z.object({ a: z.string(), b: z.int() });
  const signature = (schema: z.ZodObject) => codecOf(schema).signature;

  it("is the same for the same schema", () => {
    expect(signature(base)).toBe(signature(z.object({ a: z.string(), b: z.int() })));
  });

  it.each([
    ["a rule", z.object({ a: z.string().min(5), b: z.int() })],
    ["a type", z.object({ a: z.string(), b: z.number() })],
    ["a field", z.object({ a: z.string(), b: z.int(), c: z.string() })],
    ["an optional mark", z.object({ a: z.string().optional(), b: z.int() })],
    ["a nested field", z.object({ a: z.string(), b: z.int(), c: z.object({ d: z.string() }) })],
  ])("changes with %s", (_what, schema) => {
    expect(signature(schema)).not.toBe(signature(base));
  });

  it("exists for types that JSON Schema does not know", () => {
    const odd = z.object({
      a: z.bigint(),
      b: z.date(),
      c: z.string().transform(Number),
      d: z.undefined(),
      e: z.lazy(() => z.void()),
    });
    expect(signature(odd)).toMatch(/^[\w-]{16}$/);
  });
});
