import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findExecutable, isolations } from "../../../src/tools/process/isolation.js";
import { workspace } from "../support/workspace.js";

/** A folder with executables of these names. */
async function folderOf(...names: string[]): Promise<string> {
  const folder = await workspace(Object.fromEntries(names.map((name) => [name, ""])));
  for (const name of names) await chmod(join(folder, name), 0o755);
  return folder;
}

describe("finding an executable", () => {
  it("takes the first of the path", async () => {
    const [first, second] = [await folderOf("tool-x"), await folderOf("tool-x", "tool-y")];
    const path = [first, second].join(delimiter);
    expect(findExecutable("tool-x", path)).toBe(join(first, "tool-x"));
    expect(findExecutable("tool-y", path)).toBe(join(second, "tool-y"));
    expect(findExecutable("tool-z", path)).toBeUndefined();
  });

  it("passes over files that cannot be executed", async () => {
    const folder = await workspace({ "tool-x": "" });
    expect(findExecutable("tool-x", folder)).toBeUndefined();
  });

  it("does not take one from the current folder, which an agent may write to", async () => {
    const folder = await folderOf("tool-x");
    const relative = join("..", "..", "..", "..", "..", folder);
    expect(findExecutable("tool-x", ["", ".", relative].join(delimiter))).toBeUndefined();
  });

  it("looks into the system's folders also without a path", () => {
    expect(findExecutable("sh", "")).toMatch(/^(\/usr)?\/bin\/sh$/);
  });
});

describe("the ways to isolate a command", () => {
  it("are bubblewrap before unshare on Linux", async () => {
    const path = await folderOf("bwrap", "unshare");
    const found = isolations("linux", path);
    expect(found.map(({ tool }) => tool)).toEqual(["bwrap", "unshare", "unshare"]);
    expect(found[0]?.argv).toEqual(
      expect.arrayContaining([join(path, "bwrap"), "--unshare-net", "--unshare-user"]),
    );
    for (const { argv } of found.slice(1)) {
      expect(argv).toEqual(expect.arrayContaining([join(path, "unshare"), "--net", "--pid", "--kill-child"]));
    }
  });

  it("is sandbox-exec with all network denied on macOS", async () => {
    const [only, ...others] = isolations("darwin", await folderOf("sandbox-exec"));
    expect(others).toEqual([]);
    expect(only?.argv.slice(1, 3)).toEqual(["-p", "(version 1)(allow default)(deny network*)"]);
  });
});
