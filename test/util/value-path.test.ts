import { describe, expect, it } from "vitest";
import { memberPath } from "../../src/util/value-path.js";

describe("the path to a member of a value", () => {
  it.each([
    ["", "pages", "pages"],
    ["pages", 3, "pages[3]"],
    ["pages[3]", "html", "pages[3].html"],
    ["", 0, "[0]"],
    ["a", "odd key", 'a["odd key"]'],
    ["", "7up", '["7up"]'],
  ])("%j and %j are %s", (path, key, expected) => {
    expect(memberPath(path, key)).toBe(expected);
  });
});
