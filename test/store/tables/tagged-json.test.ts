import assert from "node:assert/strict";
import fc from "../../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import { formatPath } from "../../../src/store/tables/names.js";
import { fromTaggedJson, toTaggedJson, wellFormed } from "../../../src/store/tables/tagged-json.js";

const encode = (value: unknown, maxDepth = 50) =>
  toTaggedJson(value, {
    at: "field",
    maxDepth,
    refuse: (path, problem) => new ServiceError("INVALID_OUTPUT", `${formatPath(path)} ${problem}`),
  });
const roundTrip = (value: unknown) => fromTaggedJson(encode(value));

/** Data of any shape that the encoding promises to keep, member names like tags included. */
const storable = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.string({ unit: "grapheme" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt(),
    fc.date({ noInvalidDate: true }),
    fc.array(fc.oneof(tie("value"), fc.constant(undefined)), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom("$date", "$bigint", "$undefined", "$object", "__proto__", "constructor", "toString"),
      ),
      tie("value"),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
})).value;

describe("tagged JSON", () => {
  it("gives back any data it takes", () => {
    fc.assert(
      fc.property(storable, (value) => {
        // toStrictEqual would look at a member named "constructor" as if it were the class.
        assert.deepStrictEqual(roundTrip(value), value);
      }),
      { numRuns: 500 },
    );
  });

  it("changes nothing when a value is stored again", () => {
    fc.assert(fc.property(storable, (value) => encode(roundTrip(value)) === encode(value)));
  });

  it.each([
    ["a date", { $date: "2024-01-01T00:00:00.000Z" }],
    ["a bigint", { $bigint: "12" }],
    ["undefined", { $undefined: true }],
    ["an escape", { $object: { $date: "x" } }],
    ["an unknown tag", { $else: 1 }],
    ["a tag once its undefined member is gone", { $date: "x", gone: undefined }],
  ])("does not take a user's object for %s", (_what, value) => {
    expect(roundTrip({ inner: [value] })).toEqual({ inner: [value] });
  });

  it("writes plain data as plain JSON", () => {
    const value = { a: [1, "x", null, { b: true }], $two: 1, members: 2 };
    expect(encode(value)).toBe(JSON.stringify(value));
  });

  it("does not touch the value it encodes", () => {
    const value = { at: new Date(0), list: [1n, undefined], lone: "\ud800" };
    const copy = structuredClone(value);
    encode(value);
    expect(value).toStrictEqual(copy);
  });

  it("drops undefined members, keeps undefined in arrays, and fills holes with it", () => {
    expect(roundTrip({ a: undefined, list: [undefined, , 1] })).toStrictEqual({
      list: [undefined, undefined, 1],
    });
  });

  it("makes strings and member names well-formed", () => {
    expect(roundTrip({ "k\udc00": ["\ud800x", "🙂"] })).toEqual({ "k\ufffd": ["\ufffdx", "🙂"] });
    expect(wellFormed("plain 🙂")).toBe("plain 🙂");
  });

  it("turns -0 into 0", () => {
    expect(Object.is((roundTrip([-0]) as number[])[0], 0)).toBe(true);
  });

  it("takes plain objects without a prototype and of another realm", async () => {
    const { runInNewContext } = await import("node:vm");
    expect(roundTrip(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    expect(roundTrip(runInNewContext("({ list: [1], at: new Date(5) })"))).toEqual({
      list: [1],
      at: new Date(5),
    });
  });

  class Point {
    x = 1;
  }
  it.each([
    ["a function", () => 1, "is a function"],
    ["a symbol", Symbol("s"), "is a symbol"],
    ["a Map", new Map(), "is an instance of Map"],
    ["a Set", new Set(), "is an instance of Set"],
    ["bytes", new Uint8Array(2), "is an instance of Uint8Array"],
    ["a class instance", new Point(), "is an instance of Point"],
    ["an error", new Error("x"), "is an instance of Error"],
    ["NaN", Number.NaN, "is NaN"],
    ["Infinity", Number.POSITIVE_INFINITY, "is Infinity"],
    ["an invalid date", new Date(Number.NaN), "is an invalid Date"],
  ])("refuses %s and says where it is", (_what, value, problem) => {
    expect(() => encode({ list: [{ deep: value }] })).toThrow(`field.list[0].deep ${problem}`);
  });

  it("refuses objects that carry their own toJSON", () => {
    expect(() => encode({ toJSON: () => "other" })).toThrow("field.toJSON is a function");
  });

  it("tells a cycle from a value that is too deep", () => {
    const ring: { next?: unknown } = {};
    ring.next = { back: ring };
    expect(() => encode(ring)).toThrow("refers to itself");
    expect(() => encode([[[[1]]]], 3)).toThrow("is nested deeper than 3 levels");
    expect(encode([[[1]]], 3)).toBe("[[[1]]]");
  });

  it("allows one object in two places", () => {
    const shared = { a: 1 };
    expect(roundTrip([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });
});
