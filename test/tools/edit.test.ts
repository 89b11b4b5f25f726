import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { createTools } from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

const poem = "roses are red\nviolets are blue\nsugar is sweet\nand so are you\n";

async function editable(files: Record<string, string | Uint8Array>, options = {}) {
  const rootDir = await workspace(files);
  const { edit } = createTools({ rootDir, ...options });
  return { edit, content: (path: string) => readFile(join(rootDir, path), "utf8") };
}

describe("edit", () => {
  it("applies every hunk of a unified diff", async () => {
    const { edit, content } = await editable({ "poem.txt": poem });
    const patch = [
      "--- a/poem.txt",
      "+++ b/poem.txt",
      "@@ -1,2 +1,2 @@",
      "-roses are red",
      "+tulips are red",
      " violets are blue",
      "@@ -3,2 +3,3 @@",
      " sugar is sweet",
      " and so are you",
      "+and so am I",
      "",
    ].join("\n");
    expect(await edit.execute({ path: "poem.txt", patch })).toBe("ok");
    expect(await content("poem.txt")).toBe(
      "tulips are red\nviolets are blue\nsugar is sweet\nand so are you\nand so am I\n",
    );
  });

  it("gives the new text for the diff between any two texts", async () => {
    const text = fc
      .array(
        fc.string({ maxLength: 8 }).map((line) => line.replace(/[\r\n\0]/g, "_")),
        { maxLength: 15 },
      )
      .map((lines) => lines.map((line) => `${line}\n`).join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after);
        const { edit, content } = await editable({ f: before });
        await edit.execute({ path: "f", patch: createTwoFilesPatch("f", "f", before, after) });
        expect(await content("f")).toBe(after);
      }),
      { numRuns: 50 },
    );
  });

  it("names the hunk that does not fit, and changes nothing", async () => {
    const { edit, content } = await editable({ "poem.txt": poem });
    const patch =
      "@@ -1,1 +1,1 @@\n-roses are red\n+tulips are red\n@@ -3,1 +3,1 @@\n-salt is sweet\n+salt is salty\n";
    await expect(edit.execute({ path: "poem.txt", patch })).rejects.toMatchObject({
      code: "TOOL_PATCH_FAILED",
      message: expect.stringContaining("hunk 2 of 2 (@@ -3,1 +3,1 @@) does not match the file"),
      details: { path: "poem.txt", hunk: 2, hunks: 2, line: 3 },
    });
    expect(await content("poem.txt")).toBe(poem);
  });

  it.each([
    ["text that is no diff", "please make it rhyme", /has no hunks/],
    ["an empty patch", "", /has no hunks/],
    ["wrong line counts", "@@ -1,9 +1,9 @@\n-roses are red\n+x\n", /is not a unified diff/],
    [
      "two files",
      `${createTwoFilesPatch("a", "a", "1\n", "2\n")}${createTwoFilesPatch("b", "b", "1\n", "2\n")}`,
      /changes 2 files/,
    ],
  ])("refuses %s", async (_, patch, problem) => {
    const { edit, content } = await editable({ "poem.txt": poem });
    await expect(edit.execute({ path: "poem.txt", patch })).rejects.toMatchObject({
      code: "TOOL_PATCH_FAILED",
      message: expect.stringMatching(problem),
    });
    expect(await content("poem.txt")).toBe(poem);
  });

  it("keeps both of two edits that are made at the same time", async () => {
    const { edit, content } = await editable({ "poem.txt": poem });
    await Promise.all([
      edit.execute({ path: "poem.txt", patch: "@@ -1,1 +1,1 @@\n-roses are red\n+tulips are red\n" }),
      edit.execute({ path: "./poem.txt", patch: "@@ -4,1 +4,1 @@\n-and so are you\n+and so are we\n" }),
    ]);
    expect(await content("poem.txt")).toBe(
      "tulips are red\nviolets are blue\nsugar is sweet\nand so are we\n",
    );
  });

  it("works on files whose lines end with CRLF", async () => {
    const { edit, content } = await editable({ f: "one\r\ntwo\r\n" });
    await edit.execute({ path: "f", patch: "@@ -2,1 +2,1 @@\n-two\n+three\n" });
    expect(await content("f")).toBe("one\r\nthree\r\n");
  });

  it("refuses a patch above the limit", async () => {
    const { edit } = await editable({ f: "" }, { maxOutputBytes: 50 });
    await expect(edit.execute({ path: "f", patch: "x".repeat(51) })).rejects.toMatchObject({
      code: "TOOL_PATCH_TOO_LARGE",
      details: { size: 51, limit: 50 },
    });
  });

  it("refuses a file above 10 MiB", async () => {
    const { edit } = await editable({ f: "x\n".repeat(5 * 1_024 * 1_024 + 1) });
    await expect(edit.execute({ path: "f", patch: "@@ -1,1 +1,1 @@\n-x\n+y\n" })).rejects.toMatchObject({
      code: "TOOL_FILE_TOO_LARGE",
    });
  });

  it.each([
    ["a missing file", "missing", /does not exist/],
    ["a binary file", "binary", /is a binary file/],
    ["text that is not UTF-8", "latin1", /is not UTF-8/],
  ])("refuses %s", async (_, path, problem) => {
    const { edit } = await editable({
      binary: Buffer.from([1, 0, 2]),
      latin1: Buffer.from([0x66, 0xe9, 0x0a]),
    });
    await expect(edit.execute({ path, patch: "@@ -1,1 +1,1 @@\n-a\n+b\n" })).rejects.toMatchObject({
      code: "TOOL_PATH_INVALID",
      message: expect.stringMatching(problem),
    });
  });
});
