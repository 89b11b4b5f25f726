import { expect, it } from "vitest";
import { instantText } from "../../src/util/instant-text.js";

it("a time is written as ISO 8601", () => {
  expect(instantText(0)).toBe("1970-01-01T00:00:00.000Z");
});

it("a time that no calendar has is the last one that it has", () => {
  expect(instantText(9e15)).toBe("+275760-09-13T00:00:00.000Z");
  expect(instantText(Number.POSITIVE_INFINITY)).toBe("+275760-09-13T00:00:00.000Z");
});
