import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { cutText } from "../../src/tools/tool-call.js";

describe("text above the output limit", () => {
  it("is cut to the limit, note included, for any text and any limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 200 }), (text, limit) => {
        const cut = cutText(text, limit);
        const bytes = Buffer.byteLength(text);
        expect(cut.truncated).toBe(bytes > limit);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(limit);
        if (!cut.truncated) expect(cut.text).toBe(text);
        expect(cut.text).not.toContain("\uFFFD");
      }),
    );
  });

  it("keeps its beginning", () => {
    const note = "\n[output truncated: the limit is 100 bytes]";
    expect(cutText("x".repeat(101), 100).text).toBe("x".repeat(100 - note.length) + note);
  });
});
