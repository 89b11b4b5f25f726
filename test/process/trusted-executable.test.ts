import { chmod, chown, mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isolationsFor } from "../../src/process/isolation/ways.js";
import { TrustedExecutables } from "../../src/process/trusted-executable.js";
import { confinedTo } from "../tools/support/isolation.js";
import { workspace } from "../tools/support/workspace.js";

/** A folder with executables of these names. */
async function folderOf(...names: string[]): Promise<string> {
  const folder = await workspace(Object.fromEntries(names.map((name) => [name, ""])));
  for (const name of names) await chmod(join(folder, name), 0o755);
  return folder;
}

describe("programs that confine others", () => {
  it("are those of the system", async () => {
    expect(new TrustedExecutables().find("sh")).toBe(await realpath("/bin/sh"));
    expect(new TrustedExecutables().find("no-such-program")).toBeUndefined();
  });

  it("are not taken from a folder that others may write to, no matter who owns it", async () => {
    // Temporary folders lie below /tmp, where everybody may put something.
    const folder = await folderOf("bwrap");
    expect(new TrustedExecutables([folder]).find("bwrap")).toBeUndefined();
  });

  it("are not taken when a link in a folder of the system leads to such a folder", async () => {
    const folder = await folderOf("bwrap");
    const linking = await workspace();
    await symlink(join(folder, "bwrap"), join(linking, "bwrap"));
    expect(new TrustedExecutables([linking]).find("bwrap")).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)("need to belong to root, and to have folders that do", async () => {
    const folder = join("/root", `treadle-${process.pid}`);
    await mkdir(folder);
    const { rm, writeFile } = await import("node:fs/promises");
    try {
      await writeFile(join(folder, "bwrap"), "", { mode: 0o755 });
      expect(new TrustedExecutables([folder]).find("bwrap")).toBe(join(folder, "bwrap"));
      await chmod(join(folder, "bwrap"), 0o775);
      expect(new TrustedExecutables([folder]).find("bwrap")).toBeUndefined();
      await chmod(join(folder, "bwrap"), 0o755);
      await chown(folder, 1_000, 1_000);
      expect(new TrustedExecutables([folder]).find("bwrap")).toBeUndefined();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("are looked up once: one that appears later is not taken", async () => {
    const executables = new TrustedExecutables([await folderOf()]);
    expect(executables.find("sh")).toBeUndefined();
    expect(executables.find("sh")).toBeUndefined();
  });

  it("leave a host without isolation when there are none to trust, whatever PATH holds", async () => {
    const folder = await folderOf("bwrap", "unshare", "setpriv", "mount");
    const before = process.env["PATH"];
    process.env["PATH"] = `${folder}:${before}`;
    try {
      const host = { platform: "linux" as const, executables: new TrustedExecutables([folder]) };
      expect(isolationsFor(confinedTo(folder), host)).toEqual([]);
      for (const { argv } of isolationsFor(confinedTo(folder)))
        expect(argv[0]?.startsWith(folder)).toBe(false);
    } finally {
      process.env["PATH"] = before;
    }
  });
});
