import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeTree } from "../../src/sandbox/remove-tree.js";
import { makeDeepFolders } from "../support/deep-folders.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("a tree that a sandbox has left is removed", () => {
  it("however deep it is", async () => {
    const folder = join(temporaryFolder(), "tree");
    mkdirSync(folder);
    makeDeepFolders(folder);
    // A name that the removal would have used itself.
    mkdirSync(join(folder, "1"));
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it("also without the rights to look into it, and what links in it lead to stays", async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "kept"), "");
    const folder = join(temporaryFolder(), "tree");
    mkdirSync(join(folder, "closed/inner"), { recursive: true });
    symlinkSync(outside, join(folder, "closed/inner/out"));
    makeDeepFolders(join(folder, "closed"));
    chmodSync(join(folder, "closed/inner"), 0);
    chmodSync(join(folder, "closed"), 0);
    await removeTree(folder);
    expect([existsSync(folder), existsSync(join(outside, "kept"))]).toEqual([false, true]);
  });

  it("when it is a file, a link, or not there", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    symlinkSync(join(folder, "file"), join(folder, "link"));
    for (const name of ["link", "missing"]) await removeTree(join(folder, name));
    expect(existsSync(join(folder, "file"))).toBe(true);
    await removeTree(join(folder, "file"));
    expect(existsSync(join(folder, "file"))).toBe(false);
  });
});
