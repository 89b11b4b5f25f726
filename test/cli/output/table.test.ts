import { describe, expect, it } from "vitest";
import { createColors, withoutStyles } from "../../../src/cli/output/styles.js";
import { formatTable, oneLine } from "../../../src/cli/output/table.js";
import { agoText, clockText, forText, untilText } from "../../../src/cli/output/times.js";

describe("a table", () => {
  it("aligns columns by what is seen, not by colour codes", () => {
    const { green } = createColors(true);
    const lines = formatTable(
      ["A", "B"],
      [
        ["long cell", "x"],
        [green("ok"), "y"],
      ],
    ).split("\n");
    expect(lines[0]?.indexOf("B")).toBe("long cell".length + 2);
    expect(withoutStyles(lines[2] ?? "").indexOf("y")).toBe("long cell".length + 2);
  });

  it("is empty without rows", () => {
    expect(formatTable(["A"], [])).toBe("");
  });
});

describe("text on one line", () => {
  it("loses line breaks, own colours and what does not fit", () => {
    expect(oneLine(`a\n  b${createColors(true).red("c")}`, 10)).toBe("a bc");
    expect(oneLine("a\u001b[2J", 20)).toBe("a\\x1b[2J");
    expect(oneLine("abcdef", 4)).toBe("abc…");
  });
});

describe("times", () => {
  it("are told as a clock", () => {
    expect(clockText(0)).toBe("00:00:00");
    expect(clockText(83_999)).toBe("00:01:23");
    expect(clockText(360_000_000)).toBe("100:00:00");
    expect(clockText(-5)).toBe("00:00:00");
  });

  it("are told relative to now", () => {
    expect(agoText(1_000, 6_000)).toBe("5.0s ago");
    expect(agoText(null, 6_000)).toBe("");
    expect(forText(1_000, 6_000)).toBe("for 5.0s");
    expect(untilText(7_000, 6_000)).toBe("in 1.0s");
    expect(untilText(5_000, 6_000)).toBe("now");
    expect(untilText(5_000, 65_000)).toBe("1m 00s ago");
  });
});
