import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTools, type ToolContextOptions } from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

async function grepIn(files: Record<string, string | Uint8Array>, options: ToolContextOptions = {}) {
  const rootDir = await workspace(files);
  const { grep } = createTools({ rootDir, ...options });
  return { rootDir, grep: grep.execute };
}

describe("grep", () => {
  it("prints path, line number and line of every match, files by name", async () => {
    const { grep } = await grepIn({
      "src/b.ts": "const a = 1;\nexport const b = 2;\n",
      "src/a.ts": "export default 1;\r\n",
      "readme.md": "nothing here\n",
    });
    expect(await grep({ pattern: "^export\\s+\\w+" })).toBe(
      "src/a.ts:1:export default 1;\nsrc/b.ts:2:export const b = 2;\n",
    );
  });

  it("prints nothing when nothing matches", async () => {
    const { grep } = await grepIn({ f: "text\n" });
    expect(await grep({ pattern: "absent" })).toBe("");
  });

  it("searches one folder, or one file", async () => {
    const { grep } = await grepIn({ "a/x.txt": "hit\n", "a/y.txt": "hit\n", "b/x.txt": "hit\n" });
    expect(await grep({ pattern: "hit", path: "a" })).toBe("a/x.txt:1:hit\na/y.txt:1:hit\n");
    expect(await grep({ pattern: "hit", path: "b/x.txt" })).toBe("b/x.txt:1:hit\n");
    await expect(grep({ pattern: "hit", path: "c" })).rejects.toMatchObject({ code: "TOOL_PATH_INVALID" });
  });

  it("ignores case on request", async () => {
    const { grep } = await grepIn({ f: "Hit\nhit\n" });
    expect(await grep({ pattern: "HIT", ignoreCase: true })).toBe("f:1:Hit\nf:2:hit\n");
    expect(await grep({ pattern: "HIT" })).toBe("");
  });

  it("finds matches in empty lines and in a last line without a break", async () => {
    const { grep } = await grepIn({ f: "a\n\nb" });
    expect(await grep({ pattern: "^$" })).toBe("f:2:\n");
    expect(await grep({ pattern: "b$" })).toBe("f:3:b\n");
  });

  it("leaves out binary files, links, .git and node_modules", async () => {
    const outside = await workspace({ f: "hit\n" });
    const { grep, rootDir } = await grepIn({
      "binary.bin": Buffer.from("hit\0\n"),
      ".git/config": "hit\n",
      "node_modules/dep/index.js": "hit\n",
      ".hidden": "hit\n",
    });
    await symlink(outside, join(rootDir, "folder-link"));
    await symlink(join(outside, "f"), join(rootDir, "file-link"));
    await symlink(rootDir, join(rootDir, "cycle"));
    expect(await grep({ pattern: "hit" })).toBe(".hidden:1:hit\n");
    expect(await grep({ pattern: "hit", path: "node_modules" })).toBe("node_modules/dep/index.js:1:hit\n");
  });

  it("shortens long lines", async () => {
    const { grep } = await grepIn({ f: `${"x".repeat(600)}\n` });
    expect(await grep({ pattern: "x" })).toBe(`f:1:${"x".repeat(500)}…\n`);
  });

  it("stops at the output limit and says so", async () => {
    const { grep } = await grepIn({ f: "match\n".repeat(100_000) }, { maxOutputBytes: 1_000 });
    const output = await grep({ pattern: "match" });
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(1_000);
    expect(output).toMatch(/^f:1:match\n[\s\S]*\[output truncated: the limit is 1000 bytes\]$/);
  });

  it("names files that are too large instead of passing over them in silence", async () => {
    const { grep } = await grepIn({ "huge.log": "x".repeat(33 * 1_024 * 1_024), "small.log": "x\n" });
    expect(await grep({ pattern: "x" })).toBe(
      `small.log:1:x\n[not searched, ${33 * 1_024 * 1_024} bytes are too many: huge.log]\n`,
    );
  });
});

describe("a hostile pattern", () => {
  it("takes no longer than a harmless one", async () => {
    const { grep } = await grepIn({ f: `fine\n${"a".repeat(16_000)}b\n` });
    expect(await grep({ pattern: "^(a+)+$" })).toBe("");
    expect(await grep({ pattern: "^(\\w|a|aa)*$" })).toMatch(/^f:1:fine\nf:2:a+…\n$/);
  });

  it.each(["(?=a)b", "(?<!a)b", "(a)\\1"])(
    "that cannot be bounded is refused with the reason: %s",
    async (pattern) => {
      const { grep } = await grepIn({ f: "" });
      await expect(grep({ pattern })).rejects.toMatchObject({
        code: "TOOL_GREP_FAILED",
        message: expect.stringContaining("look-ahead, look-behind and back references are not supported"),
      });
    },
  );

  it.each(["(a{500}b{500}){1}c{100}", "((a{100}){100}){100}"])(
    "is refused when it is too large: %s",
    async (pattern) => {
      const { grep } = await grepIn({ f: "" });
      await expect(grep({ pattern })).rejects.toMatchObject({ code: "TOOL_GREP_FAILED" });
    },
  );

  it.each(["(", "[z-a]", "*"])("is refused when it is not valid: %s", async (pattern) => {
    const { grep } = await grepIn({ f: "" });
    await expect(grep({ pattern })).rejects.toMatchObject({ code: "TOOL_GREP_FAILED" });
  });

  it("ends with the task when that is aborted", async () => {
    const controller = new AbortController();
    const { grep } = await grepIn({ f: "line\n".repeat(2_000_000) }, { signal: controller.signal });
    const searching = grep({ pattern: "absent" });
    setImmediate(() => controller.abort());
    await expect(searching).rejects.toMatchObject({ code: "TASK_ABORTED" });
  });

  it("lets the event loop run while a large tree is searched", async () => {
    const { grep } = await grepIn({ f: "line\n".repeat(2_000_000) });
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 1);
    await grep({ pattern: "absent" });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(2);
  });
});
