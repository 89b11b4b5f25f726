import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyPatch } from "../../../src/sandbox/patches/apply-patch.js";
import { Snapshots } from "../../../src/sandbox/patches/snapshots.js";
import { type FolderContent, readFolder, writeFolder } from "../../support/folder-content.js";
import fc, { propertyRuns } from "../../support/property-tests.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Makes the patch from one state of a folder to another, and applies it to a third folder. */
async function roundTrip(before: FolderContent, after: FolderContent, root: FolderContent = before) {
  const folder = temporaryFolder("patch");
  const [one, other, target] = ["one", "other", "target"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const [path, files] of [
    [one, before],
    [other, after],
    [target, root],
  ] as const) {
    mkdirSync(path);
    writeFolder(path, files);
  }
  const snapshots = new Snapshots(join(folder, "git"));
  const patchFile = join(folder, "changes.patch");
  await snapshots.writePatch(await snapshots.take(one), await snapshots.take(other), patchFile);
  const paths = await applyPatch({ root: target, patchFile, folder: join(folder, "apply") });
  return { target, paths, patchFile, one };
}

const names = fc.constantFrom(
  "a",
  "b",
  "c.txt",
  "n\xe4me",
  "\xff\xfe",
  "tab\there",
  'quo"te',
  "sp ace",
  ".gitattributes",
);
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const contents = fc.oneof(
  fc.constantFrom(
    "",
    "one\n",
    "one\r\ntwo\r\n",
    "no end",
    "* text=auto eol=crlf\n",
    "* working-tree-encoding=UTF-16\n",
  ),
  fc.uint8Array({ maxLength: 60 }).map((data) => Buffer.from(data).toString("latin1")),
  fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 30 }).map((lines) => lines.join("\n")),
);
const folders = fc
  .array(fc.tuple(paths, fc.constantFrom("-", "x"), contents), { maxLength: 6 })
  .map((files) => {
    const folder: Record<string, string> = {};
    for (const [path, mode, content] of files) {
      // A file is no folder, and a folder no file.
      const clashes = Object.keys(folder).some(
        (each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`),
      );
      if (!clashes) folder[path] = mode + content;
    }
    return folder;
  });

it("makes of one folder the other, as git apply does: any bytes, names, modes and line ends", async () => {
  await fc.assert(
    fc.asyncProperty(folders, folders, async (before, after) => {
      const { target, patchFile, one } = await roundTrip(before, after);
      expect(readFolder(target)).toEqual(after);
      if (readFileSync(patchFile).length === 0) return;
      execFileSync("git", ["init", "--quiet"], { cwd: one });
      execFileSync("git", ["apply", "--binary", "--whitespace=nowarn", patchFile], {
        cwd: one,
        stdio: "pipe",
      });
      expect(readFolder(one)).toEqual(readFolder(target));
    }),
    propertyRuns(6),
  );
});

it("renames as a deletion and an addition", async () => {
  const { target, paths } = await roundTrip({ "old/name": "xsame\n" }, { "new/name": "xsame\n" });
  expect(readFolder(target)).toEqual({ "new/name": "xsame\n" });
  expect(paths.sort()).toEqual(["new/name", "old/name"]);
});

it("changes a file's lines although others have changed beside them", async () => {
  const lines = (first: string, last: string) => `-${[first, ..."abcdefghij", last].join("\n")}\n`;
  const { target } = await roundTrip(
    { f: lines("1", "2") },
    { f: lines("1", "changed") },
    { f: lines("other", "2") },
  );
  expect(readFolder(target)).toEqual({ f: lines("other", "changed") });
});

it("leaves what it does not know alone: repositories, packages, the workspace's state", async () => {
  const own = {
    "node_modules/m/index.js": "-1",
    ".service/token": "-2",
    "service.db": "-3",
    "service.db-wal": "-4",
  };
  const { target, paths } = await roundTrip({ f: "-a", ...own }, { f: "-b" }, { f: "-a", ...own });
  expect(readFolder(target)).toEqual({ f: "-b", ...own });
  expect(paths).toEqual(["f"]);
});

it.each([
  [0o600, "-", 0o600],
  [0o640, "x", 0o750],
  [0o4755, "x", 0o755],
])("a file of mode %o that is changed (%s) is one of mode %o", async (mode, sign, expected) => {
  const target = temporaryFolder("target");
  writeFolder(target, { secret: `${(mode & 0o100) === 0 ? "-" : "x"}one\n` });
  chmodSync(join(target, "secret"), mode);
  const folder = temporaryFolder("patch");
  const [one, other] = [join(folder, "one"), join(folder, "other")] as const;
  for (const path of [one, other]) mkdirSync(path);
  writeFolder(one, readFolder(target));
  writeFolder(other, { secret: `${sign}two\n` });
  const snapshots = new Snapshots(join(folder, "git"));
  const patchFile = join(folder, "changes.patch");
  await snapshots.writePatch(await snapshots.take(one), await snapshots.take(other), patchFile);
  await applyPatch({ root: target, patchFile, folder: join(folder, "apply") });
  expect(readFileSync(join(target, "secret"), "utf8")).toBe("two\n");
  expect((statSync(join(target, "secret")).mode & 0o7777).toString(8)).toBe(expected.toString(8));
});
