import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { isPlainObject, sameData } from "../../src/util/same-data.js";

describe("sameData", () => {
  it("finds a structural copy equal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameData(value, structuredClone(value))).toBe(true);
      }),
    );
  });

  it("agrees with JSON about arrays and objects of integers", () => {
    const data = fc.letrec((tie) => ({
      node: fc.oneof(
        fc.integer(),
        fc.array(tie("node")),
        fc.dictionary(fc.constantFrom("a", "b"), tie("node")),
      ),
    })).node;
    const text = (value: unknown) =>
      JSON.stringify(value, (_key, part) =>
        isPlainObject(part)
          ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
          : part,
      );
    fc.assert(
      fc.property(data, data, (a, b) => {
        expect(sameData(a, b)).toBe(text(a) === text(b));
      }),
    );
  });

  it.each([
    ["NaN", Number.NaN, Number.NaN],
    ["dates of one instant", new Date(5), new Date(5)],
    ["objects in another key order", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["objects without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])("finds %s equal", (_name, a, b) => {
    expect(sameData(a, b)).toBe(true);
  });

  it.each([
    ["a list and an object", [], {}],
    ["a date and an object", new Date(5), {}],
    ["null and undefined", null, undefined],
    ["a missing member and an undefined one", { a: undefined }, { b: undefined }],
    ["a longer list", [1], [1, 2]],
    ["zeros of different sign", 0, -0],
    ["equal functions", () => 1, () => 1],
    ["equal instances", new Map(), new Map()],
  ])("finds %s different", (_name, a, b) => {
    expect(sameData(a, b)).toBe(false);
  });
});

describe("isPlainObject", () => {
  it("accepts literals and objects without a prototype only", () => {
    class Row {}
    expect([{}, Object.create(null)].map(isPlainObject)).toEqual([true, true]);
    expect([[], null, new Row(), new Date(), "x", () => 1].map(isPlainObject)).toEqual(Array(6).fill(false));
  });
});
