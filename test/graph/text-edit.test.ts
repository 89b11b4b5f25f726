import { describe, expect, it } from "vitest";
import { applyTextEdit, editText } from "../../src/graph/xml-delta.js";
import fc from "../support/property-tests.js";

const words = fc.array(fc.constantFrom("step ", "done ", "7", "12", " of ", "é", "\u{1f600}"), {
  maxLength: 8,
});
const text = words.map((each) => each.join(""));

describe("the edit of a text", () => {
  it("makes the one of the other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edit = editText(before, after);
        // What is stored is JSON.
        const stored = JSON.parse(JSON.stringify(edit)) as typeof edit;
        expect(typeof stored === "string" ? stored : applyTextEdit(before, stored)).toBe(after);
      }),
    );
  });

  it("is the same in texts that differ in front of it", () => {
    expect(editText("step 7, 41 done", "step 7, 42 done")).toEqual(
      editText("step 1234, 41 done", "step 1234, 42 done"),
    );
  });

  it("of a short text is the text", () => {
    expect(editText("41", "42")).toBe("42");
  });
});
