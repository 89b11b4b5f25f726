import { describe, expect, it } from "vitest";
import { isSurelyLarger } from "../../src/util/least-json.js";
import fc, { propertyRuns } from "../support/property-tests.js";

/** Reads the members of a list or an object, and counts how often. */
function counted<T extends object>(value: T): { value: T; reads: () => number } {
  let reads = 0;
  const get = (target: T, name: string | symbol) => {
    if (typeof name === "string" && name !== "length" && name !== "toJSON") reads += 1;
    return Reflect.get(target, name);
  };
  return { value: new Proxy(value, { get }), reads: () => reads };
}

describe("a value whose structure alone is larger than a limit", () => {
  it("is never one whose JSON is not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = Buffer.byteLength(JSON.stringify(value));
        expect(isSurelyLarger(value, bytes)).toBe(false);
      }),
      propertyRuns(300),
    );
  });

  it.each([
    ["names", Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`name${n}`, n]))],
    ["items", Array.from({ length: 5_000 }, () => 1)],
    ["objects in a list", Array.from({ length: 1_000 }, (_, n) => ({ n }))],
    ["lists in a list", Array.from({ length: 3_000 }, () => [])],
    ["lists deep inside", { a: { b: { c: Array.from({ length: 5_000 }, () => null) } } }],
  ])("is known by its %s", (_, value) => {
    expect(isSurelyLarger(value, 8_000)).toBe(true);
  });

  it.each([
    ["a long text", "x".repeat(100_000)],
    ["bytes", new Uint8Array(100_000)],
    ["what makes its own JSON", { toJSON: () => 1, many: Array.from({ length: 100_000 }, () => 1) }],
    ["members without a value", Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [n, undefined]))],
  ])("is not %s", (_, value) => {
    expect(isSurelyLarger({ value }, 8_000)).toBe(false);
  });

  it("is not one that refers to itself: what is wrong with that one is something else", () => {
    const value: Record<string, unknown> = { n: 1 };
    value["self"] = value;
    expect(isSurelyLarger(value, 1_000_000)).toBe(false);
  });

  it("is looked at no further than it takes to know", () => {
    const list = counted(Array.from({ length: 1_000_000 }, () => 1));
    expect(isSurelyLarger(list.value, 1_000)).toBe(true);
    expect(list.reads()).toBe(0);
    const objects = counted(Array.from({ length: 1_000 }, () => ({ a: 1 })));
    expect(isSurelyLarger(objects.value, 2_500)).toBe(true);
    expect(objects.reads()).toBeLessThan(200);
  });
});
