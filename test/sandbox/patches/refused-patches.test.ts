import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPatch } from "../../../src/sandbox/patches/apply-patch.js";
import { type FolderContent, readFolder, writeFolder } from "../../support/folder-content.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const FILES: FolderContent = { "a.txt": "-one\ntwo\nthree\n", "dir/b": "-b\n" };

const adds = (path: string, mode = "100644") =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+content\n`;
const CHANGES_B = "diff --git a/dir/b b/dir/b\n--- a/dir/b\n+++ b/dir/b\n@@ -1 +1 @@\n-b\n+changed\n";

function place(patch: string, prepare?: (root: string) => void) {
  const folder = temporaryFolder("refused");
  const root = join(folder, "root");
  mkdirSync(root);
  writeFolder(root, FILES);
  prepare?.(root);
  const patchFile = join(folder, "changes.patch");
  writeFileSync(patchFile, patch);
  return { folder, root, application: { root, patchFile, folder: join(folder, "apply") } };
}

describe("a patch is refused, and nothing of it applied, that", () => {
  it.each([
    ["leaves the folder", adds("../out")],
    ["names an absolute path", adds("/tmp/out")],
    ["makes a link", adds("link", "120000")],
    [
      "makes a repository",
      `diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${"1".repeat(40)}\n`,
    ],
    ["writes hooks", adds(".git/hooks/post-checkout", "100755")],
    ["writes them under another spelling", adds("dir/.GIT/config")],
    ["writes them under a name with a character that does not show", adds("dir/.g\u200cit/config")],
    ["writes into the engine's state", adds(".service/tokens")],
    ["writes there under a letter that some file systems take for another", adds(".\u017fervice/tokens")],
    ["replaces the database", adds("service.db")],
    ["replaces it under another spelling", adds("ser\u200bvice.DB-wal")],
    ["changes an installed package", adds("node_modules/zod/index.js")],
    ["is cut off", "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n"],
  ])("%s", async (_what, patch) => {
    const { root, folder, application } = place(CHANGES_B + patch);
    await expect(applyPatch(application)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_INVALID" });
    expect(readFolder(root)).toEqual(FILES);
    expect(Object.keys(readFolder(folder)).filter((path) => !path.startsWith("apply/"))).toEqual([
      "changes.patch",
      ...Object.keys(FILES).map((path) => `root/${path}`),
    ]);
  });

  it("cannot be put in place whole, as git sees nothing of a file that it ignores: what was there comes back", async () => {
    const gone =
      "diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n";
    const { root, application } = place(gone + CHANGES_B + adds("new/file") + adds("taken/by"), (at) => {
      writeFolder(at, { ".gitignore": "-taken\n", taken: "-a file of mine\n" });
    });
    const before = readFolder(root);
    for (let time = 0; time < 2; time += 1) {
      await expect(applyPatch(application)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_INVALID" });
      expect(readFolder(root)).toEqual(before);
    }
    rmSync(join(root, "taken"));
    expect((await applyPatch(application)).sort()).toEqual(["a.txt", "dir/b", "new/file", "taken/by"]);
    expect(readFolder(root)).toMatchObject({ "dir/b": "-changed\n", "taken/by": "-content\n" });
  });

  it("leads through a link that lies in the folder", async () => {
    const { root, folder, application } = place(adds("out/file"), (at) => symlinkSync("..", join(at, "out")));
    await expect(applyPatch(application)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_INVALID" });
    expect(readFolder(root)).toEqual({ ...FILES, out: ">.." });
    expect(readFolder(folder)).not.toHaveProperty("file");
  });

  it("conflicts: the message shows the hunk", async () => {
    const patch =
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-2\n+zwei\n three\n";
    const { root, application } = place(CHANGES_B + patch);
    await expect(applyPatch(application)).rejects.toMatchObject({
      code: "SANDBOX_BUNDLE_INVALID",
      message: expect.stringContaining("--- a.txt\n@@ -1,3 +1,3 @@\n one\n-2\n+zwei\n three") as string,
    });
    expect(readFolder(root)).toEqual(FILES);
  });

  it("adds a file that is there, were it one that git ignores", async () => {
    const { root, application } = place(CHANGES_B + adds("dist"), (at) =>
      writeFolder(at, { ".gitignore": "-dist\n", dist: "-built\n" }),
    );
    await expect(applyPatch(application)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_INVALID" });
    expect(readFolder(root)).toMatchObject({ ...FILES, dist: "-built\n" });
  });

  it("changes a file that is frozen", async () => {
    const { root, application } = place(CHANGES_B);
    await expect(applyPatch({ ...application, frozen: ["dir/b"] })).rejects.toMatchObject({
      code: "SANDBOX_BUNDLE_INVALID",
      message: expect.stringContaining("running workflow") as string,
    });
    expect(readFolder(root)).toEqual(FILES);
  });

  it("has more than a thousand files", async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => adds(`many/${index}`)).join("");
    const { root, application } = place(many);
    await expect(applyPatch(application)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_TOO_LARGE" });
    expect(readFolder(root)).toEqual(FILES);
  });
});

describe("a patch that was begun", () => {
  it("is completed by the same call, and never applied twice", async () => {
    const { root, folder, application } = place(CHANGES_B + adds("new/file"));
    await applyPatch(application);
    writeFolder(root, { "dir/b": "-changed again\n" });
    await applyPatch(application);
    expect(readFolder(root)).toMatchObject({ "dir/b": "-changed again\n", "new/file": "-content\n" });
    expect(Object.keys(readFolder(join(folder, "apply"))).sort()).toEqual(["applied", "journal.json"]);
  });
});
