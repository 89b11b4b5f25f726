import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { shorten, truncateUtf8, utf8Length } from "../../src/util/bounded-text.js";

/** Whole characters from one to four bytes of UTF-8. */
const text = fc.string({ unit: "binary" });

describe("shorten", () => {
  it("leaves a text alone that fits exactly", () => {
    expect(shorten("abc", 3)).toBe("abc");
    expect(shorten("", 0)).toBe("");
  });

  it("gives the beginning and a sign that there is more", () => {
    expect(shorten("abcd", 3)).toBe("abc…");
  });

  it("cuts no character in half", () => {
    expect(shorten("ab😀c", 3)).toBe("ab…");
    expect(shorten("ab😀c", 4)).toBe("ab😀…");
  });
});

describe("truncateUtf8", () => {
  it.each([
    ["é", 2],
    ["€", 3],
    ["😀", 4],
  ])("keeps %s only when all its %i bytes fit", (character, bytes) => {
    for (let room = 0; room < bytes; room += 1) {
      expect(truncateUtf8(`a${character}b`, 1 + room)).toEqual({ text: "a", truncated: true });
    }
    expect(truncateUtf8(`a${character}b`, 1 + bytes)).toEqual({ text: `a${character}`, truncated: true });
    expect(truncateUtf8(`a${character}b`, 2 + bytes)).toEqual({ text: `a${character}b`, truncated: false });
  });

  it("leaves a text alone that fits exactly", () => {
    expect(truncateUtf8("abc", 3)).toEqual({ text: "abc", truncated: false });
  });

  it("gives the empty text when there is no room", () => {
    expect(truncateUtf8("abc", 0)).toEqual({ text: "", truncated: true });
    expect(truncateUtf8("", 0)).toEqual({ text: "", truncated: false });
  });

  it("gives the longest prefix of whole characters that fits", () => {
    fc.assert(
      fc.property(text, fc.nat(60), (whole, maxBytes) => {
        const { text: kept, truncated } = truncateUtf8(whole, maxBytes);
        expect(whole.startsWith(kept)).toBe(true);
        expect(utf8Length(kept)).toBeLessThanOrEqual(maxBytes);
        expect(truncated).toBe(kept !== whole);
        const next = [...whole.slice(kept.length)][0];
        if (next !== undefined) expect(utf8Length(kept + next)).toBeGreaterThan(maxBytes);
      }),
    );
  });
});

describe("utf8Length", () => {
  it("counts bytes, not characters", () => {
    expect(utf8Length("aé€😀")).toBe(1 + 2 + 3 + 4);
  });

  it("agrees with the encoded bytes", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(utf8Length(value)).toBe(new TextEncoder().encode(value).length);
      }),
    );
  });
});
