import { describe, expect, it } from "vitest";
import fc from "../support/property-tests.js";
import { createTools } from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

describe("read", () => {
  it("returns the text as it is", async () => {
    const text = "\uFEFFfirst\r\nsecond — ünïcödé 🎈\n\nno break at the end";
    const { read } = createTools({ rootDir: await workspace({ "deep/er/file.txt": text }) });
    expect(await read.execute({ path: "deep/er/file.txt" })).toBe(text);
  });

  it("returns an empty file as empty text", async () => {
    const { read } = createTools({ rootDir: await workspace({ empty: "" }) });
    expect(await read.execute({ path: "empty" })).toBe("");
  });

  it("returns a file at the limit and refuses one a byte above it", async () => {
    const { read } = createTools({
      rootDir: await workspace({ at: "x".repeat(1_000), above: "x".repeat(1_001) }),
      maxOutputBytes: 1_000,
    });
    expect(await read.execute({ path: "at" })).toHaveLength(1_000);
    await expect(read.execute({ path: "above" })).rejects.toMatchObject({
      code: "TOOL_FILE_TOO_LARGE",
      summary: '"above" has 1001 bytes, the limit is 1000.',
      details: { path: "above", size: 1_001, limit: 1_000 },
    });
  });

  it("refuses a binary file instead of flooding the model with it", async () => {
    const rootDir = await workspace({ "image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0x01]) });
    await expect(createTools({ rootDir }).read.execute({ path: "image.png" })).rejects.toMatchObject({
      code: "TOOL_PATH_INVALID",
      message: expect.stringContaining("is a binary file"),
    });
  });
});

describe("read in parts", () => {
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);
  const files = { "ten.txt": `${lines.join("\n")}\n` };

  it("returns the lines asked for and how to continue", async () => {
    const { read } = createTools({ rootDir: await workspace(files) });
    expect(await read.execute({ path: "ten.txt", offset: 3, limit: 2 })).toBe(
      "line 3\nline 4\n[lines 3 to 4; continue with offset 5]",
    );
  });

  it("says nothing more when the part reaches the end", async () => {
    const { read } = createTools({ rootDir: await workspace(files) });
    expect(await read.execute({ path: "ten.txt", offset: 9 })).toBe("line 9\nline 10\n");
    expect(await read.execute({ path: "ten.txt", offset: 9, limit: 2 })).toBe("line 9\nline 10\n");
    expect(await read.execute({ path: "ten.txt", limit: 100 })).toBe(files["ten.txt"]);
  });

  it("says how long the file is when the part begins behind it", async () => {
    const { read } = createTools({ rootDir: await workspace({ ...files, open: "a\nb" }) });
    expect(await read.execute({ path: "ten.txt", offset: 11 })).toBe(
      "[line 11 is past the end: the file has 10 lines]",
    );
    expect(await read.execute({ path: "open", offset: 5 })).toBe(
      "[line 5 is past the end: the file has 2 lines]",
    );
  });

  it("cuts one line that is longer than the whole output", async () => {
    const rootDir = await workspace({ "min.js": `${"x".repeat(5_000)}\nnext\n` });
    const { read } = createTools({ rootDir, maxOutputBytes: 1_000 });
    const text = await read.execute({ path: "min.js", offset: 1 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/^x+\n\[line 1 is longer than one output and was cut; continue with offset 2\]$/);
    expect(await read.execute({ path: "min.js", offset: 2 })).toBe("next\n");
  });

  it.each(["é", "日", "🧵"])("cuts such a line between characters: %s", async (character) => {
    const rootDir = await workspace({ "min.js": `${character.repeat(2_000)}\n` });
    for (const maxOutputBytes of [1_000, 1_001, 1_002, 1_003]) {
      const text = await createTools({ rootDir, maxOutputBytes }).read.execute({ path: "min.js", offset: 1 });
      expect(text).toMatch(new RegExp(`^(?:${character})+\\n\\[line 1`));
    }
  });

  it("pages through a file of any size without losing or repeating a byte", async () => {
    const line = fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => text.replace(/[\n\0]/g, "_"));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (content) => {
        const text = content.join("\n");
        fc.pre(text !== "");
        const { read } = createTools({ rootDir: await workspace({ f: text }), maxOutputBytes: 2_000 });
        let joined = "";
        for (let offset: number | undefined = 1; offset !== undefined; ) {
          const page: string = await read.execute({ path: "f", offset });
          const note = /(?:^|\n)\[lines \d+ to \d+; continue with offset (\d+)\]$/.exec(page);
          joined += note === null ? page : `${page.slice(0, note.index)}\n`;
          offset = note === null ? undefined : Number(note[1]);
        }
        expect(joined).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it("reads far into a file that is much larger than the limit", async () => {
    const row = `${"x".repeat(99)}\n`;
    const rootDir = await workspace({ "big.log": row.repeat(300_000) });
    const { read } = createTools({ rootDir, maxOutputBytes: 5_000 });
    const page = await read.execute({ path: "big.log", offset: 299_999, limit: 1 });
    expect(page.startsWith(row)).toBe(true);
  });
});
