import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import type { ServiceError } from "../../../src/errors/service-error.js";
import type { SchemaMap } from "../../../src/model/schema.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";

function refusal(schemas: SchemaMap): ServiceError {
  try {
    deriveTables(schemas);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("the schema was accepted");
}

describe("deriving tables", () => {
  it("names the table after the key and the columns after the fields", () => {
    const { outputs } = deriveTables({ codeReview: z.object({ isGood: z.boolean(), noteText: z.string() }) });
    const codec = outputs.get("codeReview");
    expect(codec?.tableName).toBe("code_review");
    expect(codec?.columns.map(({ field, column }) => [field, column])).toEqual([
      ["isGood", "is_good"],
      ["noteText", "note_text"],
    ]);
  });

  it("keeps `input` apart from the outputs", () => {
    const tables = deriveTables({ input: z.object({ topic: z.string() }), out: z.object({}) });
    expect([...tables.outputs.keys()]).toEqual(["out"]);
    expect(tables.input.columns.map(({ column }) => column)).toEqual(["topic"]);
    expect(deriveTables({}).input.columns.map(({ column }) => column)).toEqual(["payload"]);
  });

  it.each([
    ["map", z.map(z.string(), z.string())],
    ["set", z.set(z.string())],
    ["function", z.function() as unknown as z.ZodType],
    ["promise", z.promise(z.string())],
    ["symbol", z.symbol()],
    ["file", z.file()],
    ["nan", z.nan()],
    ["custom", z.instanceof(URL)],
  ])("refuses a %s and names key and field", (type, schema) => {
    const error = refusal({ report: z.object({ part: schema }) });
    expect(error.code).toBe("SCHEMA_INCOMPATIBLE");
    expect(error.message).toContain(`report.part has the type ${type}`);
  });

  it.each([
    ["an object", z.object({ deep: z.set(z.string()) }), "report.part.deep"],
    ["an array", z.array(z.object({ m: z.map(z.string(), z.string()) })), "report.part[].m"],
    ["a tuple", z.tuple([z.string(), z.symbol()]), "report.part[1]"],
    ["a record", z.record(z.string(), z.nan()), "report.part[]"],
    ["a union", z.union([z.string(), z.file()]), "report.part"],
    ["an intersection", z.intersection(z.object({}), z.object({ s: z.set(z.string()) })), "report.part.s"],
    ["an optional", z.set(z.string()).optional(), "report.part"],
    ["a nullable with a default", z.set(z.string()).nullable().default(null), "report.part"],
    ["a lazy schema", z.lazy(() => z.object({ s: z.symbol() })), "report.part.s"],
    ["a catch-all", z.object({}).catchall(z.symbol()), "report.part"],
  ])("looks for unstorable types inside %s", (_what, schema, path) => {
    const error = refusal({ report: z.object({ part: schema }) });
    expect(error.details?.["issues"]).toEqual([expect.objectContaining({ path })]);
  });

  it("walks recursive schemas once", () => {
    const category = z.object({
      name: z.string(),
      get children() {
        return z.array(category);
      },
    });
    expect(deriveTables({ tree: z.object({ root: category }) }).outputs.size).toBe(1);
  });

  it("looks at the face of a pipe that is stored", () => {
    const parsed = z.string().transform((text) => new Set(text));
    expect(deriveTables({ out: z.object({ letters: parsed }) }).outputs.size).toBe(1);
    const given = z.map(z.string(), z.string()).transform((map) => map.size);
    expect(deriveTables({ out: z.object({ size: given }) }).outputs.size).toBe(1);
    expect(refusal({ input: z.object({ size: given }) }).message).toContain("input.size has the type map");
  });

  it.each(["runId", "run_id", "nodeId", "iteration", "Iteration"])(
    "refuses the reserved field %s",
    (field) => {
      expect(refusal({ out: z.object({ [field]: z.string() }) }).message).toContain(
        `out.${field} is a reserved name`,
      );
    },
  );

  it("refuses two fields, or two keys, that become one name", () => {
    expect(refusal({ out: z.object({ aB: z.string(), a_b: z.string() }) }).message).toContain(
      'out.a_b becomes column "a_b", as "aB" does',
    );
    expect(refusal({ fooBar: z.object({}), foo_bar: z.object({}) }).message).toContain(
      'foo_bar becomes table "foo_bar", as "fooBar" does',
    );
    expect(refusal({ Input: z.object({}) }).message).toContain('Input becomes table "input"');
  });

  it.each(["_service_runs", "sqlite_master", ""])("refuses the reserved table name %j", (key) => {
    expect(refusal({ [key]: z.object({}) }).code).toBe("SCHEMA_INCOMPATIBLE");
  });

  it("refuses what is not a zod 4 object schema", () => {
    for (const wrong of [z.string(), {}, null, z.object({}).optional()]) {
      expect(refusal({ out: wrong as unknown as z.ZodObject }).message).toContain(
        "out is not a zod 4 object schema",
      );
    }
  });

  it.each<[wrong: unknown, what: string]>([
    [z3.object({ a: z3.string() }), "out is a schema of zod 3: import z from zod 4"],
    [z.union([z.object({}), z.object({ a: z.string() })]), "of the type union: a row has fields"],
    [z.array(z.string()), "of the type array: a row has fields"],
    [z.object({ a: z.string() }).transform(({ a }) => a), "a pipe around one: put transforms"],
    [z.object({ a: z.string() }).readonly(), "a readonly around one"],
  ])("says what else a schema is, and what to write instead", (wrong, what) => {
    expect(refusal({ out: wrong as z.ZodObject }).message).toContain(what);
  });

  it("refuses more fields than a table has columns, before the database is asked", () => {
    const shape = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, z.number()]));
    expect(refusal({ wide: z.object(shape) }).message).toContain("wide has 2000 fields");
  });

  it("lists every problem at once", () => {
    const error = refusal({
      one: z.object({ a: z.map(z.string(), z.string()), runId: z.string() }),
      two: z.object({ b: z.symbol() }),
    });
    expect(error.details?.["issues"]).toHaveLength(3);
  });
});

describe("one schema object under two keys", () => {
  it("is a schema of its own for each", () => {
    const note = z.object({ text: z.string() });
    const { outputs } = deriveTables({ draft: note, final: note });
    expect(outputs.get("draft")?.schema).not.toBe(outputs.get("final")?.schema);
    expect(outputs.get("draft")?.signature).toBe(outputs.get("final")?.signature);
  });

  it("stays itself where it is one output, beside the input", () => {
    const note = z.object({ text: z.string() });
    expect(deriveTables({ input: note, draft: note }).outputs.get("draft")?.schema).toBe(note);
  });
});
