import { expect, it } from "vitest";
import { codeFrame } from "../../src/errors/code-frame.js";

const TEXT = ["one", "two", "\tthree = 3;", "four", "five", "six", ""].join("\n");

it("shows two lines before and after, a mark at the line and one below the column, tabs staying tabs", () => {
  expect(codeFrame(TEXT, { line: 3, column: 8 }).split("\n")).toEqual([
    "  1 | one",
    "  2 | two",
    "> 3 | \tthree = 3;",
    "    | \t      ^",
    "  4 | four",
    "  5 | five",
  ]);
});

it("points at no unknown column", () => {
  expect(codeFrame("one\ntwo", { line: 2 })).toBe("  1 | one\n> 2 | two");
});

it("aligns its numbers, whatever ends the lines", () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\r\n");
  expect(codeFrame(text, { line: 9, column: 1 }).split("\n")).toEqual([
    "   7 | line 7",
    "   8 | line 8",
    ">  9 | line 9",
    "     | ^",
    "  10 | line 10",
    "  11 | line 11",
  ]);
});

it("shows the empty last line when something is missing there, and nothing beyond the text", () => {
  expect(codeFrame("one\n", { line: 2, column: 1 })).toBe("  1 | one\n> 2 |\n    | ^");
  expect(codeFrame("one\n", { line: 3 })).toBe("");
  expect(codeFrame("one\n", { line: 0 })).toBe("");
});

it("shows the part of a long line that the column is in", () => {
  const [, line = "", mark = ""] = codeFrame(`\n${"x".repeat(999)}HERE${"y".repeat(999)}`, {
    line: 2,
    column: 1000,
  }).split("\n");
  expect(line.length).toBeLessThan(200);
  expect(line.slice(mark.indexOf("^"))).toMatch(/^HERE/);
});
