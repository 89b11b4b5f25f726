import { describe, expect, it } from "vitest";
import { Mismatch } from "../../src/store/columns/column.js";
import { longText } from "../../src/store/columns/long-text.js";

const column = longText("snapshot_json");
const long = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ tag: "Task", id: `täsk-${n} 🦊` })));

describe("a column of long texts", () => {
  it("keeps a short one as it is, and a long one in a fraction of its length", () => {
    expect(column.write("{}")).toBe("{}");
    expect((column.write(long) as string).length).toBeLessThan(long.length / 3);
  });

  it("reads back what was written, and what earlier versions wrote", () => {
    expect(column.read(column.write(long))).toBe(long);
    expect(column.read(long)).toBe(long);
  });

  it("says of a damaged one that it is damaged", () => {
    const written = column.write(long) as string;
    expect(() => column.read(written.slice(0, written.length / 2))).toThrow(Mismatch);
    expect(() => column.read("deflate:!")).toThrow(Mismatch);
  });
});
