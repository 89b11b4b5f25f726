import { describe, expect, it } from "vitest";
import { createColors, withoutStyles } from "../../../src/cli/output/styles.js";
import { formatTable, oneLine, visibleWidth } from "../../../src/cli/output/table.js";
import { agoText, clockText, forText, untilText } from "../../../src/cli/output/times.js";

const WHOLE = { width: Number.POSITIVE_INFINITY };

describe("a table", () => {
  it("aligns columns by what is seen, not by colour codes", () => {
    const { green } = createColors(true);
    const lines = formatTable(
      ["A", "B"],
      [
        ["long cell", "x"],
        [green("ok"), "y"],
      ],
      WHOLE,
    ).split("\n");
    expect(lines[0]?.indexOf("B")).toBe("long cell".length + 2);
    expect(withoutStyles(lines[2] ?? "").indexOf("y")).toBe("long cell".length + 2);
  });

  it("is empty without rows", () => {
    expect(formatTable(["A"], [], WHOLE)).toBe("");
  });

  it("cuts nothing where there is no end of room", () => {
    expect(formatTable(["A"], [["x".repeat(5_000)]], WHOLE)).toBe(`A\n${"x".repeat(5_000)}`);
  });

  it("takes from the widest column what is wider than there is room for", () => {
    const text = formatTable(["RUN", "STATE", "WHY"], [["run-1", "failed", "it ".repeat(30)]], { width: 40 });
    expect(widestLine(text)).toBe(40);
    expect(text).toMatch(/^RUN {4}STATE {3}WHY\nrun-1 {2}failed {2}(it )+i?t?…$/);
  });

  it("leaves names whole that people type, as long as something else can give", () => {
    const name = "a-name-of-twenty-one-";
    const rows = [[name, "some words that are long", "other words that are long as well"]];
    const fit = { width: 50, names: ["ID"] };
    expect(formatTable(["ID", "ONE", "TWO"], rows, fit)).toContain(`\n${name}  some`);
    for (const width of [20, 30, 41, 50]) {
      expect(widestLine(formatTable(["ID", "ONE", "TWO"], rows, { ...fit, width }))).toBeLessThanOrEqual(
        width,
      );
    }
  });

  it("counts Chinese characters and emoji as two columns and cuts none in half", () => {
    const rows = [["流水线".repeat(10), "👩‍👩‍👧".repeat(20)]];
    for (const width of [30, 31, 32, 33]) {
      const text = formatTable(["NAME", "NOTE"], rows, { width });
      expect(widestLine(text)).toBeLessThanOrEqual(width);
      expect(widestLine(text)).toBeGreaterThan(width - 4);
      expect(text).toMatch(/\n(流水线)+流?水?… +(👩‍👩‍👧)+…$/);
    }
  });

  it("keeps the colour of what it cuts", () => {
    const { red } = createColors(true);
    const text = formatTable(["A"], [[red("a failure that is long")]], { width: 10 });
    expect(text).toBe(`A\n${red("a failure")}…`);
  });

  it("breaks a last column that says what to do into lines below each other", () => {
    const rows = [["! disk", "is almost full: make room with prune"]];
    expect(formatTable(["  CHECK", ""], rows, { width: 28, breaksLast: true })).toBe(
      ["  CHECK", "! disk   is almost full:", "         make room with", "         prune"].join("\n"),
    );
  });
});

function widestLine(text: string): number {
  return Math.max(...text.split("\n").map(visibleWidth));
}

describe("text on one line", () => {
  it("loses line breaks, own colours and what does not fit", () => {
    expect(oneLine(`a\n  b${createColors(true).red("c")}`, 10)).toBe("a bc");
    expect(oneLine("a\u001b[2J", 20)).toBe("a\\x1b[2J");
    expect(oneLine("abcdef", 4)).toBe("abc…");
  });
});

describe("times", () => {
  it("are shown as a clock", () => {
    expect(clockText(0)).toBe("00:00:00");
    expect(clockText(83_999)).toBe("00:01:23");
    expect(clockText(360_000_000)).toBe("100:00:00");
    expect(clockText(-5)).toBe("00:00:00");
  });

  it("are shown relative to now", () => {
    expect(agoText(1_000, 6_000)).toBe("5.0s ago");
    expect(agoText(null, 6_000)).toBe("");
    expect(forText(1_000, 6_000)).toBe("for 5.0s");
    expect(untilText(7_000, 6_000)).toBe("in 1.0s");
    expect(untilText(5_000, 6_000)).toBe("now");
    expect(untilText(5_000, 65_000)).toBe("1m 00s ago");
  });
});
