import { describe, expect, it } from "vitest";
import fc from "../support/property-tests.js";
import { findJsonLoss } from "../../src/util/json-loss.js";

class Point {
  x = 1;
}

const circle: { list: unknown[] } = { list: [] };
circle.list.push(circle);
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

describe("what JSON would lose of a value", () => {
  it("is nothing of a value that came from JSON", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => findJsonLoss(value) === undefined));
  });

  it.each<[string, unknown]>([
    ["undefined, which stands for nothing", { a: undefined, b: [undefined] }],
    [
      "dates and others that say what they are in JSON",
      [new Date(0), new URL("http://x/"), { toJSON: () => 7 }],
    ],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["one object in two places", [circle.list.slice(1), circle.list.slice(1)]],
    ["many levels", deep(500)],
  ])("is nothing of %s", (_what, value) => {
    expect(findJsonLoss(value)).toBeUndefined();
  });

  it.each<[unknown, string, string]>([
    [() => 1, "", "a function"],
    [{ a: { b: [1, () => 1] } }, "a.b[1]", "a function"],
    [{ "odd key": new Map([[1, 2]]) }, '["odd key"]', "a Map"],
    [[new Set([1])], "[0]", "a Set"],
    [{ later: Promise.resolve(1) }, "later", "a Promise"],
    [{ n: Number.NaN }, "n", "NaN"],
    [{ n: -Infinity }, "n", "-Infinity"],
    [{ n: 1n }, "n", "a bigint"],
    [{ s: Symbol("x") }, "s", "a symbol"],
    [{ at: new Date(Number.NaN) }, "at", "an invalid Date"],
    [{ p: new Point() }, "p", "an instance of Point"],
    [{ e: new TypeError("x") }, "e", "an instance of TypeError"],
    [{ bytes: new Uint8Array(2) }, "bytes", "an instance of Uint8Array"],
    [{ own: { toJSON: () => ({ n: 1n }) } }, "own.n", "a bigint"],
    [circle, "list[0]", "an object that contains itself"],
    [deep(1_001), "[0]".repeat(1_000), "nested deeper than 1000 levels"],
  ])("is found with its path and its kind: %#", (value, path, what) => {
    expect(findJsonLoss(value)).toEqual({ path, what });
  });
});
