import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkShape } from "../../../src/store/tables/input-shape.js";
import type { InputIssue } from "../../../src/store/tables/input-values.js";

/** The type mismatches of a value below the field `f`, as `path: message`. */
function typeMismatches(schema: z.ZodType, value: unknown): string[] {
  const issues: InputIssue[] = [];
  checkShape(schema, value, { path: ["f"], issues });
  return issues.map(({ path, message }) => `${path}: ${message}`);
}

const kind = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);
const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), children: z.array(tree).optional() }));

describe("what is inside a field of an input", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["absent members with a default", z.object({ a: z.int().default(1), b: z.int().optional() }), {}],
    ["null where it may be", z.object({ a: z.string().nullable() }), { a: null }],
    ["further members", z.object({ a: z.int() }), { a: 1, more: true }],
    ["anything where nothing is known", z.object({ a: z.any(), b: z.unknown() }), {}],
    ["a union", z.array(z.union([z.string(), z.int()])), ["a", 1]],
    ["a variant", kind, { kind: "square", side: 2 }],
    ["a tuple with a rest", z.tuple([z.string()], z.int()), ["a", 1, 2]],
    ["a record", z.record(z.string(), z.int()), { a: 1 }],
    ["some names of a partial record", z.partialRecord(z.enum(["a", "b"]), z.int()), { a: 1 }],
    ["an intersection", z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })), { a: 1, b: 2 }],
    ["a tree", tree, { name: "a", children: [{ name: "b", children: [] }] }],
    ["what a pipe takes", z.object({ a: z.string().transform(Number) }), { a: "1" }],
    ["a date", z.object({ at: z.date() }), { at: new Date(0) }],
    ["a value that only code can tell", z.object({ a: z.instanceof(URL) }), { a: 1 }],
  ])("may be %s", (_, schema, value) => {
    expect(typeMismatches(schema, value)).toEqual([]);
  });

  it.each<[z.ZodType, unknown, string[]]>([
    [z.object({ a: z.string() }), {}, ["f.a: expected a string, received nothing"]],
    [z.object({ a: z.string().optional() }), { a: null }, ["f.a: expected a string, received null"]],
    [z.object({ a: z.coerce.number() }), { a: "5" }, ["f.a: expected a number, received a string"]],
    [z.object({ a: z.int() }), { a: 1.5 }, ["f.a: expected an integer, received a number"]],
    [z.array(z.enum(["a", "b"])), ["a", "c"], ['f[1]: expected one of "a", "b", received "c"']],
    [z.object({ at: z.date() }), { at: "2024-01-01" }, ["f.at: expected a Date, received a string"]],
    [z.strictObject({ a: z.int() }), { a: 1, b: 2 }, ["f.b: expected no value, received a number"]],
    [z.array(z.string()), { 0: "a" }, ["f: expected an array, received an object"]],
    [z.object({}), [], ["f: expected an object, received an array"]],
    [z.tuple([z.string()]), ["a", "b"], ["f[1]: expected no further element, received a string"]],
    [z.tuple([z.string(), z.int()]), ["a"], ["f[1]: expected an integer, received nothing"]],
    [z.record(z.enum(["a", "b"]), z.int()), { a: 1 }, ["f.b: expected an integer, received nothing"]],
    [kind, { kind: "square" }, ["f.side: expected a number, received nothing"]],
    [
      z.union([z.string(), z.int()]),
      true,
      ["f: expected one of the types of its schema, received a boolean"],
    ],
    [z.object({ a: z.instanceof(URL) }), {}, ["f.a: expected a value, received nothing"]],
    [tree, { name: "a", children: [{}] }, ["f.children[0].name: expected a string, received nothing"]],
  ])("is told by its place where it does not fit: %#", (schema, value, told) => {
    expect(typeMismatches(schema, value)).toEqual(told);
  });

  it("is left to the limit of nesting when it continues for ever", () => {
    const value: Record<string, unknown> = { name: "a" };
    value["children"] = [value];
    expect(typeMismatches(tree, value)).toEqual([]);
  });
});
