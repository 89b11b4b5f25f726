import { describe, expect, it } from "vitest";
import { itemId } from "../../../src/components/patterns/item-id.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ unit: "grapheme" }));

describe("the id of a part that is named by data", () => {
  it("keeps what is an id already, and escapes the rest", () => {
    expect(itemId("board", "PROJ-12")).toBe("board-PROJ-12");
    expect(itemId("board", "v1.2_b")).toBe("board-v1.2_b");
    expect(itemId("board", "a b/c")).toBe("board-a:20b:2fc");
    expect(itemId("board", "é")).toBe("board-:u00e9");
    expect(itemId("board", "")).toBe("board-:");
    expect(itemId("board", "in-work", "a-b")).toBe("board-in:2dwork-a-b");
  });

  it("is a legal id for any text", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const id = itemId("p", one, other);
        expect(id).toMatch(/^p-[\w.:-]+$/);
        expect(id.length).toBeLessThanOrEqual(256);
        expect(itemId("p", one, other)).toBe(id);
      }),
      propertyRuns(1_000),
    );
  });

  it("is another one for another text, also for parts that read the same in a row", () => {
    const parts = fc.tuple(text, text);
    fc.assert(
      fc.property(parts, parts, ([a, b], [c, d]) => {
        fc.pre(a !== c || b !== d);
        expect(itemId("p", a, b)).not.toBe(itemId("p", c, d));
      }),
      propertyRuns(1_000),
    );
    expect(itemId("p", "a", "b-c")).not.toBe(itemId("p", "a-b", "c"));
    expect(itemId("p", "a:20")).not.toBe(itemId("p", "a "));
    expect(itemId("p", "\ud800")).not.toBe(itemId("p", "\ud801"));
    expect(itemId("p", `${"x".repeat(500)}a`)).not.toBe(itemId("p", `${"x".repeat(500)}b`));
  });
});
