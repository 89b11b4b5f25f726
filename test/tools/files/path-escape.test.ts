import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type BuiltinTools, createTools } from "../../../src/tools/index.js";
import { workspace } from "../support/workspace.js";

const patch = "@@ -1,1 +1,1 @@\n-secret\n+changed\n";

describe("a path that leads out of the root", () => {
  let root: string;
  let outside: string;
  let tools: BuiltinTools;

  /** Every tool, each with a call that would reach `path`. */
  const callsTo = (path: string) => [
    () => tools.read.execute({ path }),
    () => tools.read.execute({ path, offset: 1 }),
    () => tools.write.execute({ path, content: "changed" }),
    () => tools.edit.execute({ path, patch }),
    () => tools.grep.execute({ pattern: "secret", path }),
    () => tools.bash.execute({ cmd: "cat secret.txt", opts: { cwd: path } }),
  ];

  async function expectEscape(path: string): Promise<void> {
    for (const call of callsTo(path))
      await expect(call()).rejects.toMatchObject({ code: "TOOL_PATH_ESCAPE" });
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
  }

  beforeEach(async () => {
    root = await workspace({ "inside.txt": "fine\n" });
    outside = await workspace({ "secret.txt": "secret\n" });
    tools = createTools({ rootDir: root });
  });

  it("is refused when it climbs", async () => {
    await expectEscape("../secret.txt");
    await expectEscape("folder/../../secret.txt");
    await expectEscape("..");
  });

  it("is refused when it is absolute", async () => {
    await expectEscape(join(outside, "secret.txt"));
    await expectEscape("/");
    await expectEscape("/proc/self/environ");
    await expectEscape("/dev/zero");
  });

  it("is refused when a link leads to a file outside", async () => {
    await symlink(join(outside, "secret.txt"), join(root, "link"));
    await expectEscape("link");
  });

  it("is refused when it goes through a link to a folder outside", async () => {
    await symlink(outside, join(root, "link"));
    await expectEscape("link/secret.txt");
    await expectEscape("link/new/file.txt");
    await expectEscape("link");
  });

  it("is refused when links lead out only together", async () => {
    await mkdir(join(root, "a"));
    await symlink("..", join(root, "a/up"));
    await symlink("a/up/..", join(root, "out"));
    await expectEscape("out");
  });

  it("is refused when a link goes through the root of another process", async () => {
    await symlink("/proc/self/root/etc/passwd", join(root, "link"));
    await expectEscape("link");
  });

  it("is refused when a link has no target yet", async () => {
    await symlink(join(outside, "not-yet.txt"), join(root, "link"));
    await expectEscape("link");
    await expect(readFile(join(outside, "not-yet.txt"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("is refused when a folder to be created would lie behind a link without a target", async () => {
    await symlink(join(outside, "not-yet"), join(root, "link"));
    await expectEscape("link/deep/file.txt");
  });

  it("is not one whose name merely starts with dots", async () => {
    await tools.write.execute({ path: "..config/..file", content: "kept" });
    expect(await tools.read.execute({ path: "..config/..file" })).toBe("kept");
  });

  it("is not an absolute path into the root, nor a link that stays inside", async () => {
    expect(await tools.read.execute({ path: join(root, "inside.txt") })).toBe("fine\n");
    await symlink("inside.txt", join(root, "alias.txt"));
    await tools.write.execute({ path: "alias.txt", content: "through the link\n" });
    expect(await readFile(join(root, "inside.txt"), "utf8")).toBe("through the link\n");
  });

  it("is not any path when the root itself is given by a link", async () => {
    await symlink(root, join(outside, "to-root"));
    const linked = createTools({ rootDir: join(outside, "to-root") });
    expect(await linked.read.execute({ path: "inside.txt" })).toBe("fine\n");
    await expect(linked.read.execute({ path: "../secret.txt" })).rejects.toMatchObject({
      code: "TOOL_PATH_ESCAPE",
    });
  });

  it("is reported with no more than the path that was asked for", async () => {
    await writeFile(join(outside, "locked"), "");
    const error = await tools.read.execute({ path: "link-less/../../x" }).catch((thrown) => thrown);
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(root);
  });
});
