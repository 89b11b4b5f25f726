import { describe, expect, it } from "vitest";
import { newId } from "../../src/util/ids.js";

const ids = Array.from({ length: 5_000 }, newId);

describe("newId", () => {
  it("has sixteen digits or lower-case letters", () => {
    expect(ids.filter((id) => !/^[0-9a-z]{16}$/.test(id))).toEqual([]);
  });

  it("uses none of the letters that are mistaken for others", () => {
    expect(ids.filter((id) => /[ilou]/.test(id))).toEqual([]);
  });

  it("uses all thirty-two characters at every position, so that an id holds 80 random bits", () => {
    for (let position = 0; position < 16; position += 1) {
      expect(new Set(ids.map((id) => id[position])).size).toBe(32);
    }
  });

  it("does not repeat itself", () => {
    expect(new Set(ids).size).toBe(ids.length);
  });
});
