import { describe, expect, it } from "vitest";
import { largestMember, tellLargest } from "../../src/util/largest-member.js";

describe("where most of a value is", () => {
  it("is named by a path to it, with its size in bytes of JSON", () => {
    const pages = [{ html: "x" }, { html: "é".repeat(500), title: "t" }];
    expect(largestMember(JSON.stringify({ id: 1, pages }))).toEqual({ path: "pages[1].html", size: 1_002 });
  });

  it("is named as far as one member stands out", () => {
    const parts = Array.from({ length: 100 }, (_, n) => `part ${n}`);
    const { path } = largestMember(JSON.stringify({ name: "n", report: { parts } }));
    expect(path).toBe("report.parts");
  });

  it.each([["x".repeat(50)], [{}], [[]], [null], [3]])("is nowhere in particular in %j", (value) => {
    expect(tellLargest(largestMember(JSON.stringify(value)))).toBe("");
  });
});
