import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SandboxResult } from "../../../src/model/sandbox-provider.js";
import { takeResult } from "../../../src/sandbox/bundles/take-result.js";
import { BoundSecrets } from "../../../src/sandbox/egress/secrets.js";
import { type FolderContent, writeFolder } from "../../support/folder-content.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const PATCH = "a patch\n";
const DONE = JSON.stringify({ status: "finished", outputs: { text: "done" } });
const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`patches/${n}.patch`, ""]));

/** Takes what a provider has left in the folder of results: these files, and what `more` makes beside them. */
function taken(
  files: FolderContent,
  more: (folder: string) => unknown = () => undefined,
  result: (folder: string) => unknown = (folder) => ({ bundlePath: folder }),
) {
  const folder = join(temporaryFolder("bundle"), "result-bundle");
  mkdirSync(folder);
  writeFolder(folder, Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `-${text}`])));
  more(folder);
  return takeResult(result(folder) as SandboxResult, { folder, secrets: new BoundSecrets() });
}

describe("a result in files is refused when", () => {
  it.each<[string, FolderContent, ((folder: string) => unknown)?, ((folder: string) => unknown)?]>([
    ["it has no README.md", {}],
    ["its README.md is no JSON", { "README.md": "# Done" }],
    ["its README.md is JSON of another form", { "README.md": "[1]" }],
    ["its README.md has a field that would do nothing", { "README.md": '{"status":"finished","exit":0}' }],
    ["its README.md leads to another bundle", { "README.md": '{"status":"finished","bundlePath":"."}' }],
    ["it has two outputs", { "README.md": '{"status":"finished","output":{},"outputs":{}}' }],
    ["README.md is a link", {}, (at) => symlinkSync("/etc/passwd", join(at, "README.md"))],
    ["README.md is a folder", {}, (at) => mkdirSync(join(at, "README.md"))],
    ["README.md is a pipe", {}, (at) => execFileSync("mkfifo", [join(at, "README.md")])],
    ["a folder is a link", { "README.md": DONE }, (at) => symlinkSync("/etc", join(at, "artifacts"))],
    ["a link leads to itself", { "README.md": DONE }, (at) => symlinkSync("logs", join(at, "logs"))],
    [
      "an artifact is a link",
      { "README.md": DONE, "artifacts/a": "" },
      (at) => symlinkSync("/etc/shadow", join(at, "artifacts/b")),
    ],
    [
      "an artifact is a hard link",
      { "README.md": DONE, "artifacts/a": "" },
      (at) => linkSync(join(at, "artifacts/a"), join(at, "artifacts/b")),
    ],
    [
      "a name is no UTF-8",
      { "README.md": DONE, "artifacts/a": "" },
      (at) => writeFileSync(Buffer.concat([Buffer.from(`${at}/artifacts/`), Buffer.of(0xff)]), ""),
    ],
    ["it has a file of no meaning", { "README.md": DONE, "patches/a.diff": PATCH }],
    ["it has a folder of no meaning", { "README.md": DONE, "files/notes": "" }],
    ["its folders are too deep", { "README.md": DONE, [`artifacts/${"d/".repeat(16)}f`]: "" }],
    [
      "it names a patch that is not there",
      { "README.md": '{"status":"finished","outputs":{"text":""},"patches":["patches/../../a.patch"]}' },
    ],
    [
      "it has a patch that it does not name",
      { "README.md": '{"status":"finished","outputs":{"text":""},"patches":[]}', "patches/a.patch": PATCH },
    ],
    [
      "its changes are in two places",
      {
        "README.md": '{"status":"finished","diffBundle":{"seq":1,"baseRef":"","patches":[]}}',
        "patches/a.patch": PATCH,
      },
    ],
    [
      "it names a log elsewhere",
      { "README.md": '{"status":"finished","outputs":{"text":""},"streamLogPath":"/var/log/syslog"}' },
    ],
    ["it stands outside", {}, undefined, () => ({ bundlePath: "/etc" })],
    ["its path leads out", {}, undefined, () => ({ bundlePath: ".." })],
    [
      "its path leads through a link",
      {},
      (at) => symlinkSync("..", join(at, "in")),
      () => ({ bundlePath: "in" }),
    ],
    ["it has both forms", { "README.md": DONE }, undefined, (at) => ({ bundlePath: at, status: "finished" })],
  ])("%s", async (_, files, more, result) => {
    await expect(taken(files, more, result)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_INVALID" });
  });

  it.each<[string, FolderContent, ((folder: string) => unknown)?]>([
    ["its README.md has more than 5 MiB", {}, (at) => grown(join(at, "README.md"), 5 * 1024 ** 2 + 1)],
    [
      "its files have more than 100 MiB",
      { "README.md": DONE },
      (at) => {
        mkdirSync(join(at, "artifacts"));
        for (const name of ["a", "b"]) grown(join(at, "artifacts", name), 60 * 1024 ** 2);
      },
    ],
    ["it has more than 1,000 patches", { "README.md": DONE, ...many }],
    [
      "a text of its output is too long",
      {
        "README.md": JSON.stringify({ status: "finished", outputs: { text: "x".repeat(65_537) } }),
      },
    ],
  ])("%s", async (_, files, more) => {
    await expect(taken(files, more)).rejects.toMatchObject({ code: "SANDBOX_BUNDLE_TOO_LARGE" });
  });
});

/** A file of holes. */
function grown(path: string, bytes: number): void {
  writeFileSync(path, "");
  truncateSync(path, bytes);
}
