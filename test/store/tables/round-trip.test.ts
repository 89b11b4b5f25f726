import { join } from "node:path";
import fc from "../../support/property-tests.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { SchemaMap } from "../../../src/model/schema.js";
import type { Store } from "../../../src/store/contract.js";
import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import { PgliteStore } from "../../../src/store/pglite/store.js";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import type { OutputCodec } from "../../../src/store/tables/output-codec.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { newRun, step } from "../../conformance/store/fixtures.js";
import { initializePglite } from "../../support/pglite/initialized-folder.js";
import { createPostgresDatabase } from "../../support/postgres/database.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const text = fc.string({ unit: "grapheme" });
const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const int = fc.maxSafeInteger();
const date = fc.date({ noInvalidDate: true });
/** As JSON has it, so without -0. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Every type a field may have, with the values its schema lets through. */
const TYPES: Record<string, [schema: z.ZodType, values: fc.Arbitrary<unknown>]> = {
  string: [z.string(), text],
  email: [z.email(), fc.constantFrom("a@b.co", "x.y@example.org")],
  enum: [z.enum(["a", "b"]), fc.constantFrom("a", "b")],
  numericEnum: [z.enum({ low: 1, high: 2 }), fc.constantFrom(1, 2)],
  mixedEnum: [z.enum({ low: 1, high: "h" }), fc.constantFrom(1, "h")],
  literal: [z.literal("x"), fc.constant("x")],
  literals: [z.literal(["x", 1, true, null]), fc.constantFrom("x", 1, true, null)],
  numberLiteral: [z.literal(2.5), fc.constant(2.5)],
  booleanLiteral: [z.literal(false), fc.constant(false)],
  bigintLiteral: [z.literal(5n), fc.constant(5n)],
  templateLiteral: [z.templateLiteral(["v", z.int()]), fc.integer().map((n) => `v${n}`)],
  number: [z.number(), real],
  float32: [z.float32(), fc.float({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)],
  int: [z.int(), int],
  numberInt: [z.number().int(), int],
  boolean: [z.boolean(), fc.boolean()],
  stringbool: [z.stringbool(), fc.constantFrom("true", "no")],
  bigint: [z.bigint(), fc.bigInt()],
  date: [z.date(), date],
  isoDate: [z.iso.date(), fc.constantFrom("2024-02-29", "1999-12-31")],
  nothing: [z.null(), fc.constant(null)],
  object: [
    z.object({ a: z.string(), b: z.date().optional() }),
    fc.record({ a: text, b: date }, { requiredKeys: ["a"] }),
  ],
  looseObject: [z.looseObject({}), fc.dictionary(text, json, { noNullPrototype: true })],
  array: [z.array(z.bigint()), fc.array(fc.bigInt())],
  holes: [z.array(z.string().optional()), fc.array(fc.option(text, { nil: undefined }))],
  tuple: [z.tuple([z.string(), z.date()]).rest(z.int()), fc.tuple(text, date, int)],
  record: [z.record(z.string(), z.number()), fc.dictionary(text, real, { noNullPrototype: true })],
  union: [z.union([z.string(), z.date(), z.bigint()]), fc.oneof(text, date, fc.bigInt())],
  discriminated: [
    z.discriminatedUnion("k", [
      z.object({ k: z.literal("s"), v: z.string() }),
      z.object({ k: z.literal("d"), v: z.date() }),
    ]),
    fc.oneof(fc.record({ k: fc.constant("s"), v: text }), fc.record({ k: fc.constant("d"), v: date })),
  ],
  intersection: [
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.int() })),
    fc.record({ a: text, b: int }),
  ],
  any: [z.any(), fc.oneof(text, real, date, fc.bigInt(), fc.constant(null), fc.constant(undefined), json)],
  unknown: [z.unknown(), json],
  json: [z.json(), json],
  lazy: [z.lazy(() => z.array(z.string())), fc.array(text)],
  transform: [z.string().transform((value) => ({ length: value.length, at: new Date(0) })), text],
  pipe: [z.string().pipe(z.coerce.number()), fc.integer().map(String)],
  codec: [
    z.codec(z.string(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() }),
    date.map((d) => d.toISOString()),
  ],
  preprocess: [z.preprocess(String, z.string()), int],
  withDefault: [z.string().default("d"), fc.option(text, { nil: undefined })],
  withPrefault: [z.string().prefault("d"), fc.option(text, { nil: undefined })],
  withCatch: [z.int().catch(0), fc.oneof(int, text)],
  readonly: [z.array(z.string()).readonly(), fc.array(text)],
  branded: [z.string().brand("id"), text],
  optional: [z.string().optional(), fc.option(text, { nil: undefined })],
  optionalDate: [z.date().optional(), fc.option(date, { nil: undefined })],
  optionalObject: [z.object({ a: z.int() }).optional(), fc.option(fc.record({ a: int }), { nil: undefined })],
  nullable: [z.string().nullable(), fc.option(text)],
  nullableInt: [z.int().nullable(), fc.option(int)],
  nullableBoolean: [z.boolean().nullable(), fc.option(fc.boolean())],
  nullableDate: [z.date().nullable(), fc.option(date)],
  nullableObject: [z.object({ a: z.int() }).nullable(), fc.option(fc.record({ a: int }))],
  nullishString: [z.string().nullish(), fc.oneof(text, fc.constant(null), fc.constant(undefined))],
  nullishDate: [z.date().nullish(), fc.oneof(date, fc.constant(null), fc.constant(undefined))],
  nullishBoolean: [z.boolean().nullish(), fc.oneof(fc.boolean(), fc.constant(null), fc.constant(undefined))],
};

/** Every database gives the same back. */
const DATABASES: Record<string, (schemas: SchemaMap) => Promise<Store> | Store> = {
  SQLite: (schemas) => createSqliteDb({ path: ":memory:", schemas }).store,
  async Postgres(schemas) {
    const { url, remove } = await createPostgresDatabase();
    onTestFinished(async () => void (await remove()));
    return new PostgresStore({ connectionString: url }, deriveTables(schemas));
  },
  async PGlite(schemas) {
    const dataDir = await initializePglite(join(temporaryFolder(), "data"));
    return new PgliteStore(dataDir, deriveTables(schemas));
  },
};

const address = { runId: "r", nodeId: "n", iteration: 0 };

function codecOf(schema: z.ZodObject): OutputCodec {
  return deriveTables({ row: schema }).outputs.get("row") as OutputCodec;
}

describe("a row", () => {
  it.each(Object.entries(TYPES))("of type %s comes back as it was parsed", (_name, [schema, values]) => {
    const rowSchema = z.object({ field: schema });
    const codec = codecOf(rowSchema);
    fc.assert(
      fc.property(values, (value) => {
        const row = rowSchema.parse({ field: value });
        expect(codec.decode(codec.encode(row), address)).toEqual(row);
      }),
      { numRuns: 60 },
    );
  });

  it.each(Object.entries(DATABASES))("of every type at once survives %s", async (_name, open) => {
    const schema = z.object(Object.fromEntries(Object.entries(TYPES).map(([name, [type]]) => [name, type])));
    const store = await open({ row: schema });
    await store.createRun(newRun({ input: {} }));
    const codec = store.codec("row");
    const rows = fc.record(
      Object.fromEntries(Object.entries(TYPES).map(([name, [, values]]) => [name, values])),
    );
    let iteration = 0;
    await fc.assert(
      fc.asyncProperty(rows, async (values) => {
        const row = schema.parse(values);
        iteration += 1;
        const columns = codec.encode(row);
        await store.commit(step({ outputs: [{ outputKey: "row", nodeId: "n", iteration, columns }] }));
        const live = codec.decode(columns, { ...address, iteration });
        const stored = await store.getOutput("run-1", "row", "n", iteration);
        expect(stored).toEqual(row);
        expect(stored).toStrictEqual(live);
        expect(await store.readOutput("run-1", "n", iteration)).toEqual(row);
        // What was read and is stored again does not change any more.
        expect(codec.encode(stored as typeof row)).toEqual(columns);
      }),
      { numRuns: 60 },
    );
    await store.close();
  });

  it("keeps the members that a loose schema lets through", () => {
    const schema = z.looseObject({ known: z.int() });
    const codec = codecOf(schema);
    const row = schema.parse({ known: 1, extra: new Date(3), more: { n: 1n } });
    expect(codec.decode(codec.encode(row), address)).toEqual(row);
    expect(codec.decode(codec.encode({ known: 1 }), address)).toEqual({ known: 1 });
  });

  it("does not let loose members pose as its address", () => {
    const codec = codecOf(z.looseObject({ known: z.int() }));
    const row = codec.decode(codec.encode({ known: 1, runId: "other", nodeId: "other" }), address);
    expect(row.runId).toBe("r");
    expect(Object.keys(row)).toEqual(["known"]);
  });

  it("holds only the fields of a plain schema", () => {
    const codec = codecOf(z.object({ known: z.int() }));
    expect(codec.decode(codec.encode({ known: 1, surplus: 2 }), address)).toEqual({ known: 1 });
  });

  it("carries its address without showing it", () => {
    const codec = codecOf(z.object({ a: z.int() }));
    const row = codec.decode(codec.encode({ a: 1 }), { runId: "r", nodeId: "n", iteration: 4 });
    expect([row.runId, row.nodeId, row.iteration]).toEqual(["r", "n", 4]);
    expect(JSON.stringify(row)).toBe('{"a":1}');
    expect({ ...row }).toEqual({ a: 1 });
    expect(row).toEqual({ a: 1 });
  });

  it("turns -0 into 0 in every numeric column", () => {
    const codec = codecOf(z.object({ real: z.number(), int: z.int() }));
    const row = codec.decode(codec.encode({ real: -0, int: -0 }), address);
    expect([Object.is(row["real"], 0), Object.is(row["int"], 0)]).toEqual([true, true]);
  });

  it("makes text well-formed", () => {
    const codec = codecOf(z.object({ a: z.string() }));
    expect(codec.encode({ a: "x\ud800" })).toEqual(["x\ufffd"]);
  });
});
