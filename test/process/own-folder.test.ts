import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OwnFolder } from "../../src/process/own-folder.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function places() {
  const parent = temporaryFolder();
  const path = join(parent, "own");
  mkdirSync(path);
  const outside = join(parent, "outside");
  writeFileSync(outside, "of somebody else");
  return { parent, path, outside, folder: new OwnFolder(path) };
}

describe("a folder that the engine writes to", () => {
  it("takes files that only this user can read, replaced or appended to", () => {
    const { folder, path } = places();
    folder.append("log", "a");
    folder.append("log", "b");
    folder.write("mark", "long");
    folder.write("mark", "new");
    expect(readFileSync(join(path, "log"), "utf8")).toBe("ab");
    expect(readFileSync(join(path, "mark"), "utf8")).toBe("new");
    expect(statSync(join(path, "mark")).mode & 0o777).toBe(0o600);
  });

  it.each(["write", "append"] as const)(
    "does not %s through a link of either kind, or into a pipe",
    (how) => {
      const { folder, path, outside } = places();
      symlinkSync(outside, join(path, "soft"));
      symlinkSync(join(path, "..", "new"), join(path, "dangling"));
      linkSync(outside, join(path, "hard"));
      execFileSync("mkfifo", [join(path, "pipe")]);
      for (const name of ["soft", "dangling", "hard", "pipe"]) expect(() => folder[how](name, "x")).toThrow();
      expect(readFileSync(outside, "utf8")).toBe("of somebody else");
    },
  );

  it("reads what it has written, and nothing through a link of either kind or from a pipe", () => {
    const { folder, path, outside } = places();
    folder.write("list", "[]");
    expect(folder.read("list")).toBe("[]");
    symlinkSync(outside, join(path, "soft"));
    linkSync(outside, join(path, "hard"));
    execFileSync("mkfifo", [join(path, "pipe")]);
    for (const name of ["soft", "hard", "pipe", "absent"]) expect(() => folder.read(name)).toThrow();
  });

  it("does not write where a link in the folder's place leads", () => {
    const { folder, path, parent } = places();
    const elsewhere = join(parent, "elsewhere");
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    expect(() => folder.write("file", "x")).toThrow();
    expect(() => statSync(join(elsewhere, "file"))).toThrow();
  });
});
