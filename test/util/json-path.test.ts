import { describe, expect, it } from "vitest";
import { parseJsonPath, valueAt } from "../../src/util/json-path.js";

describe("a path into JSON", () => {
  it.each([
    ["$", []],
    ["", []],
    ["$.a.b[0]['c']", ["a", "b", 0, "c"]],
    ["a.b[12].c-d", ["a", "b", 12, "c-d"]],
    ['$[\'it\\\'s "it"\']["x.y"]', ['it\'s "it"', "x.y"]],
    ["$[3]", [3]],
    ["[0].a", [0, "a"]],
    ["$['']", [""]],
  ])("%s is read", (text, path) => {
    expect(parseJsonPath(text)).toEqual(path);
  });

  it.each([
    "$.",
    "$a",
    ".",
    "a.",
    "a..b",
    "$..a",
    "$.*",
    "$[*]",
    "$[-1]",
    "$[?(@.a)]",
    "$[(1)]",
    "a b",
    "$['a]",
    "[0]a",
    "$[1.5]",
    "$[9999999999]",
  ])("%s is none", (text) => {
    expect(parseJsonPath(text)).toBeUndefined();
  });

  it("finds what a value has itself, and nothing else", () => {
    const value = JSON.parse('{"a": {"b": [{"c": 1}, null]}, "__proto__": 3, "": 4}');
    expect(valueAt(value, ["a", "b", 0, "c"])).toBe(1);
    expect(valueAt(value, ["a", "b", 1])).toBeNull();
    expect(valueAt(value, ["__proto__"])).toBe(3);
    expect(valueAt(value, [""])).toBe(4);
    expect(valueAt(value, [])).toBe(value);
    for (const path of [["toString"], ["a", "b", "length"], ["a", 0], ["a", "b", 2], ["a", "b", 1, "c"]]) {
      expect(valueAt(value, path)).toBeUndefined();
    }
  });
});
