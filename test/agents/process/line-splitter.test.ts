import fc from "../../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { LineSplitter, type SplitLine } from "../../../src/agents/process/line-splitter.js";

function split(chunks: Iterable<Buffer>, maxLineBytes = 1_000): SplitLine[] {
  const lines: SplitLine[] = [];
  const splitter = new LineSplitter({ maxLineBytes, onLine: (line) => lines.push(line) });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

const texts = (lines: SplitLine[]) => lines.map(({ text }) => text);

describe("LineSplitter", () => {
  it("gives the same lines however the bytes are cut", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, "_"));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.array(fc.nat(40), { maxLength: 20 }),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
          const edges = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].sort((a, b) => a - b);
          const chunks = [0, ...edges].map((edge, index) =>
            bytes.subarray(edge, edges[index] ?? bytes.length),
          );
          expect(texts(split(chunks))).toEqual(lines);
        },
      ),
    );
  });

  it("emits what stands after the last line feed", () => {
    expect(texts(split([Buffer.from("one\ntw"), Buffer.from("o")]))).toEqual(["one", "two"]);
  });

  it("drops the carriage return of foreign line ends", () => {
    expect(texts(split([Buffer.from("one\r\ntwo\r\n")]))).toEqual(["one", "two"]);
  });

  it("takes no other character for a line end", () => {
    const text = "a\u2028b\u2029c\u0085d\u000be";
    expect(texts(split([Buffer.from(`${text}\n`)]))).toEqual([text]);
  });

  it("keeps the beginning of a line that is too long and counts the rest", () => {
    const [long, next] = split([Buffer.from("0123456789ABCDEF\nok\n")], 10);
    expect(long).toEqual({ text: "0123456789", cutBytes: 6 });
    expect(next).toEqual({ text: "ok", cutBytes: 0 });
  });

  it("does not leave half a character where it cuts", () => {
    const [line] = split([Buffer.from("abcé\n")], 4);
    expect(line).toEqual({ text: "abc", cutBytes: 1 });
  });

  it("holds no more than its limit of a line without end", () => {
    const chunk = Buffer.alloc(100_000, "x");
    const lines = split(
      Array.from({ length: 50 }, () => chunk),
      1_000,
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]?.text).toHaveLength(1_000);
    expect(lines[0]?.cutBytes).toBe(50 * 100_000 - 1_000);
  });
});
