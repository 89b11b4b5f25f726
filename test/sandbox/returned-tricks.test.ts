import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../support/folder-content.js";
import { childFile } from "../support/sandbox-request.js";
import { sandboxedRun } from "../support/sandboxed-run.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { canSandbox } from "../support/can-sandbox.js";

const PRELUDE = `const fs = await import("node:fs"), cp = await import("node:child_process"); const sh = (text) => cp.execFileSync("/bin/sh", ["-c", text]);`;

/** What stands in the folder of a run after its sandbox has done as `body` says; all of it was accepted unseen. */
async function leftBy(body: string, prepare: (rootDir: string) => void = () => undefined) {
  const { run, rootDir } = sandboxedRun(
    { "child.tsx": `-${childFile(`${PRELUDE} ${body} return "done";`)}`, "dir/notes": "-old\n" },
    { autoAcceptDiffs: true },
  );
  prepare(rootDir);
  const { status, error } = await run();
  const files = Object.entries(readFolder(rootDir)).filter(([path]) => !path.startsWith(".service/"));
  return { status, code: error?.code, message: error?.message, files: Object.fromEntries(files) };
}

describe.runIf(canSandbox)("what a sandbox leaves in its copy of the files", () => {
  it.each([
    ["a link to a file of the host", `fs.symlinkSync("/etc/shadow", "dir/secret");`],
    ["a link in the place of a file", `fs.rmSync("dir/notes"); fs.symlinkSync("/etc/passwd", "dir/notes");`],
    [
      "a link in the place of a folder",
      `fs.rmSync("dir", { recursive: true }); fs.symlinkSync("/etc", "dir");`,
    ],
    ["a link to a folder above", `fs.symlinkSync("../..", "up");`],
    [
      "a repository",
      `sh("mkdir sub && cd sub && git init -q && git -c user.name=a -c user.email=a commit -q --allow-empty -m a");`,
    ],
  ])("is refused when it is %s, and nothing is changed", async (_, body) => {
    const { status, files, code } = await leftBy(`fs.writeFileSync("also", "x"); ${body}`);
    expect({ status, code }).toEqual({ status: "failed", code: "SANDBOX_BUNDLE_INVALID" });
    expect(Object.keys(files).sort()).toEqual(["child.tsx", "dir/notes"]);
  });

  it("takes no hard link to what it was shown, and of its own files links become copies", async () => {
    const body = `
      const code = (work) => { try { work(); return "linked"; } catch (error) { return error.code; } };
      const tried = ["/etc/passwd", process.execPath, "/usr/bin/env"].map((path, index) => code(() => fs.linkSync(path, "dir/stolen" + index)));
      fs.linkSync("dir/notes", "dir/same");
      fs.writeFileSync("tried", tried.join());`;
    const { status, files } = await leftBy(body);
    expect(status).toBe("finished");
    expect(files).toMatchObject({ "dir/notes": "-old\n", "dir/same": "-old\n" });
    expect(files["tried"]).not.toContain("linked");
  });

  it("runs no program on the host: neither filters, hooks nor monitors of a repository", async () => {
    const planted = join(temporaryFolder("planted"), "planted");
    const config = `[core]\\n\\tfsmonitor = touch ${planted}; false\\n\\thooksPath = .\\n[filter "f"]\\n\\tclean = touch ${planted}; cat\\n`;
    const repository = `git init -q && git -c user.name=a -c user.email=a commit -q --allow-empty -m a`;
    const body = `
      fs.writeFileSync(".gitattributes", "* filter=f diff=f merge=f\\n");
      sh("${repository}");
      fs.appendFileSync(".git/config", "${config}");
      sh("mkdir -p sub && cd sub && ${repository}");
      fs.appendFileSync("sub/.git/config", "${config}");
      fs.writeFileSync("sub/file", "x");`;
    // A repository that the folder has already is looked at again with what the sandbox makes of it.
    await leftBy(body, (rootDir) => {
      mkdirSync(join(rootDir, "sub"));
      writeFileSync(join(rootDir, "sub/file"), "x");
      execFileSync("/bin/sh", ["-c", repository], { cwd: join(rootDir, "sub"), stdio: "ignore" });
    });
    expect(existsSync(planted)).toBe(false);
  });

  it("leaves out what is no file, and what git is told to ignore", async () => {
    const body = `sh("mkfifo pipe"); fs.writeFileSync(".gitignore", "hidden\\n"); fs.writeFileSync("hidden", "x"); fs.mkdirSync("empty");`;
    const { status, files } = await leftBy(body);
    expect(status).toBe("finished");
    expect(Object.keys(files).sort()).toEqual([".gitignore", "child.tsx", "dir/notes"]);
  });

  it("gives no file the rights of its owner", async () => {
    const body = `
      const code = (work) => { try { work(); return "done"; } catch (error) { return error.code; } };
      fs.writeFileSync("tool", "#!/bin/sh\\n", { mode: 0o755 });
      fs.writeFileSync("tried", code(() => fs.chmodSync("tool", 0o4755)));`;
    const { files } = await leftBy(body);
    expect(files).toMatchObject({ tried: "-EPERM", tool: "x#!/bin/sh\n" });
  });
});
