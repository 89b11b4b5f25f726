import { describe, expect, it } from "vitest";
import { boundedRows } from "../../../src/operations/read/bounded-rows.js";

/** A list of rows by number, each with a text of so many characters; and how many of them were held at once. */
function list(count: number, characters: (no: number) => number) {
  const asked: number[] = [];
  const read = (after: { no: number } | undefined, most: number) => {
    const first = (after?.no ?? -1) + 1;
    const found = Array.from({ length: Math.max(0, Math.min(most, count - first)) }, (_, index) => {
      const no = first + index;
      return { no, text: "x".repeat(characters(no)) };
    });
    asked.push(found.length);
    return found;
  };
  return { read, asked };
}

describe("a page of rows", () => {
  it.each([
    [0, 10, 0, false],
    [10, 10, 10, false],
    [11, 10, 10, true],
    [500, 500, 500, false],
    [501, 500, 500, true],
    [100, 1, 1, true],
  ])("of %i small ones with the limit %i has %i, and more: %s", async (count, limit, length, hasMore) => {
    const page = await boundedRows(list(count, () => 10).read, { limit });
    expect(page.rows.map(({ no }) => no)).toEqual(Array.from({ length }, (_, no) => no));
    expect(page.hasMore).toBe(hasMore);
  });

  it("ends before it is too large, and holds few more", async () => {
    const { read, asked } = list(500, () => 1_000);
    const page = await boundedRows(read, { limit: 500, largest: 20_000 });
    expect(page.hasMore).toBe(true);
    expect(page.rows.length).toBeGreaterThan(15);
    expect(page.rows.length).toBeLessThan(20);
    expect(asked.reduce((sum, each) => sum + each, 0)).toBeLessThan(60);
  });

  it("has a row that is too large alone", async () => {
    const page = await boundedRows(list(3, () => 5_000).read, { limit: 3, largest: 100 });
    expect(page).toMatchObject({ rows: [{ no: 0 }], hasMore: true });
  });
});
