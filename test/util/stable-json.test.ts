import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { stableJson } from "../../src/util/stable-json.js";

/** The same value with the keys of every object inserted in the opposite order. */
function withReversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReversedKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withReversedKeys(member)]),
  );
}

describe("stableJson", () => {
  it("writes object keys in order, at every depth", () => {
    expect(stableJson({ b: 1, a: { d: [{ f: 1, e: 2 }], c: null } })).toBe(
      '{"a":{"c":null,"d":[{"e":2,"f":1}]},"b":1}',
    );
  });

  it("gives equal text for equal values, whatever the order of insertion", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stableJson(withReversedKeys(value))).toBe(stableJson(value));
      }),
    );
  });

  it("loses nothing that JSON can hold", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(stableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("keeps the order of arrays", () => {
    expect(stableJson([3, 1, 2])).toBe("[3,1,2]");
  });

  it("drops undefined members and writes null for undefined items, as JSON does", () => {
    expect(stableJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  it("writes null for a value that JSON cannot hold at all", () => {
    expect(stableJson(undefined)).toBe("null");
    expect(stableJson(() => 1)).toBe("null");
  });

  it("writes dates as JSON does", () => {
    expect(stableJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  it("writes bigints unlike numbers and text", () => {
    expect(stableJson({ n: 5n })).toBe('{"n":{"$bigint":"5"}}');
  });

  it("treats __proto__ as an ordinary key", () => {
    const value = JSON.parse('{"b":1,"__proto__":{"a":1}}') as unknown;
    expect(stableJson(value)).toBe('{"__proto__":{"a":1},"b":1}');
  });
});
