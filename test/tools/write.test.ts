import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTools } from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

describe("write", () => {
  it("creates the file and the folders above it", async () => {
    const rootDir = await workspace();
    expect(await createTools({ rootDir }).write.execute({ path: "a/b/c.txt", content: "héllo" })).toBe("ok");
    expect(await readFile(join(rootDir, "a/b/c.txt"), "utf8")).toBe("héllo");
  });

  it("replaces a file, keeps its permissions and leaves nothing else behind", async () => {
    const rootDir = await workspace({ "run.sh": "a much longer old content" });
    await chmod(join(rootDir, "run.sh"), 0o755);
    await createTools({ rootDir }).write.execute({ path: "run.sh", content: "new" });
    expect(await readFile(join(rootDir, "run.sh"), "utf8")).toBe("new");
    expect((await stat(join(rootDir, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readdir(rootDir)).toEqual(["run.sh"]);
  });

  it("shows readers the old file or the new one, never a part", async () => {
    const [old, fresh] = ["o".repeat(150_000), "n".repeat(150_000)];
    const rootDir = await workspace({ f: old });
    const { write } = createTools({ rootDir });
    let writing = true;
    const seen = new Set<string>();
    const reading = (async () => {
      while (writing) seen.add(await readFile(join(rootDir, "f"), "utf8"));
    })();
    for (let round = 0; round < 20; round += 1) {
      await write.execute({ path: "f", content: round % 2 === 0 ? fresh : old });
    }
    writing = false;
    await reading;
    for (const text of seen) expect(text === old || text === fresh).toBe(true);
  });

  it("takes content at the limit and refuses a byte more, without touching the file", async () => {
    const rootDir = await workspace({ f: "before" });
    const { write } = createTools({ rootDir, maxOutputBytes: 100 });
    await expect(write.execute({ path: "f", content: `${"x".repeat(99)}é` })).rejects.toMatchObject({
      code: "TOOL_CONTENT_TOO_LARGE",
      details: { path: "f", size: 101, limit: 100 },
    });
    expect(await readFile(join(rootDir, "f"), "utf8")).toBe("before");
    await write.execute({ path: "f", content: "x".repeat(100) });
    expect(await readFile(join(rootDir, "f"), "utf8")).toHaveLength(100);
  });

  it("changes nothing any more once the task has ended", async () => {
    const rootDir = await workspace({ f: "before" });
    const controller = new AbortController();
    const { write } = createTools({ rootDir, signal: controller.signal });
    const calls = ["f", "new"].map((path) => write.execute({ path, content: "after" }));
    controller.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "TASK_ABORTED" });
    expect(await readFile(join(rootDir, "f"), "utf8")).toBe("before");
    expect(await readdir(rootDir)).toEqual(["f"]);
  });

  it("leaves the last of several writes to one file in place", async () => {
    const rootDir = await workspace();
    const { write } = createTools({ rootDir });
    const contents = Array.from({ length: 20 }, (_, index) => `version ${index}`);
    await Promise.all(contents.map((content) => write.execute({ path: "f", content })));
    expect(await readFile(join(rootDir, "f"), "utf8")).toBe("version 19");
    expect(await readdir(rootDir)).toEqual(["f"]);
  });

  it.skipIf(process.getuid?.() === 0)("says so when the folder is read-only", async () => {
    const rootDir = await workspace({ "locked/f": "" });
    await chmod(join(rootDir, "locked"), 0o555);
    const call = createTools({ rootDir }).write.execute({ path: "locked/f", content: "x" });
    await expect(call).rejects.toMatchObject({
      code: "TOOL_PATH_INVALID",
      message: expect.stringContaining("EACCES"),
    });
    await chmod(join(rootDir, "locked"), 0o755);
    await writeFile(join(rootDir, "locked/f"), "");
  });
});
