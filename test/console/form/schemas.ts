import { z } from "zod";
import fc from "../../support/property-tests.js";

/** A schema, and values that it takes. */
export interface Case {
  schema: z.ZodType;
  values: fc.Arbitrary<unknown>;
}

/** Undefined = not given. */
const orNot = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: undefined });

const scalars: readonly Case[] = [
  { schema: z.string(), values: fc.string() },
  { schema: z.string().max(5), values: fc.string({ maxLength: 5 }) },
  { schema: z.number(), values: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0) },
  { schema: z.number().int().min(-3).max(12), values: fc.integer({ min: -3, max: 12 }) },
  { schema: z.boolean(), values: fc.boolean() },
  { schema: z.enum(["one", "two words", "ש"]), values: fc.constantFrom("one", "two words", "ש") },
  { schema: z.literal(["a", 1, true]), values: fc.constantFrom("a", 1, true) },
  { schema: z.literal("only"), values: fc.constant("only") },
  { schema: z.iso.date(), values: fc.constantFrom("2026-01-31", "1999-12-01") },
  { schema: z.iso.datetime(), values: fc.constantFrom("2026-01-31T09:00:00Z", "2026-01-31T09:00:00.123Z") },
  { schema: z.email(), values: fc.constantFrom("name@example.com") },
  { schema: z.null(), values: fc.constant(null) },
  { schema: z.any(), values: fc.jsonValue({ maxDepth: 2 }) },
];

const KEYS = ["name", "a b", "ключ", "x.y", "0", "constructor", "newKey"];

function composed(inner: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const members = fc.uniqueArray(fc.tuple(fc.constantFrom("id", "title", "deep member", "a.b"), inner), {
    maxLength: 3,
    selector: ([name]) => name,
  });
  return fc.oneof(
    members.map(objectOf),
    inner.map(({ schema, values }) => ({
      schema: z.array(schema),
      values: fc.array(values, { maxLength: 3 }),
    })),
    inner.map(({ schema, values }) => ({
      schema: z.record(z.string(), schema),
      values: fc.dictionary(fc.constantFrom(...KEYS), values, { maxKeys: 3, noNullPrototype: true }),
    })),
    inner.map(({ schema, values }) => ({
      schema: z.record(z.enum(["p", "q"]), schema),
      values: fc.record({ p: values, q: values }, { noNullPrototype: true }),
    })),
    fc.tuple(inner, inner).map(([one, other]) => ({
      schema: z.tuple([one.schema, other.schema]),
      values: fc.tuple(one.values, other.values),
    })),
    fc.tuple(inner, inner).map(([one, other]) => ({
      schema: z.union([one.schema, other.schema]),
      values: fc.oneof(one.values, other.values),
    })),
    fc.tuple(members, members).map((both) => {
      const [one, other] = both.map((list) => objectOf(list.filter(([name]) => name !== "id")));
      const kind = (name: string, { schema, values }: Case) => ({
        schema: (schema as z.ZodObject).extend({ kind: z.literal(name) }),
        values: values.map((value) => ({ ...(value as object), kind: name })),
      });
      const first = kind("first", one as Case);
      const second = kind("second", other as Case);
      return {
        schema: z.discriminatedUnion("kind", [first.schema, second.schema]),
        values: fc.oneof(first.values, second.values),
      };
    }),
    inner.map(({ schema, values }) => ({
      schema: schema.nullable(),
      values: fc.option(values, { nil: null }),
    })),
  );
}

/** Some members may be left out, or have a default. */
function objectOf(members: readonly (readonly [string, Case])[]): Case {
  const shape = Object.fromEntries(
    members.map(([name, { schema }], index) => [
      name,
      index === 1 ? schema.optional() : index === 2 ? schema.default(null) : schema,
    ]),
  );
  const values = Object.fromEntries(
    members.map(([name, one], index) => [name, index === 0 ? one.values : orNot(one.values)]),
  );
  return {
    schema: z.object(shape),
    values: fc.record(values, { noNullPrototype: true }).map(withoutGaps),
  };
}

function withoutGaps(value: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

/** Objects of all that an input may hold, some levels deep. */
export const inputs: fc.Arbitrary<Case> = (() => {
  const level0 = fc.constantFrom(...scalars);
  const level1 = fc.oneof({ weight: 2, arbitrary: level0 }, { weight: 3, arbitrary: composed(level0) });
  const level2 = fc.oneof(level1, composed(level1));
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom("first", "second", "third"), level2), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map(objectOf);
})();
