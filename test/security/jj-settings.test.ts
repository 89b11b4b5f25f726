import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Worktrees } from "../../src/vcs/worktrees.js";
import { workspace } from "../tools/support/workspace.js";

afterEach(() => vi.unstubAllEnvs());

/** Says what it was called with, and does what jj would do to the folder. */
const FAKE_JJ = `#!/bin/sh
{ echo "in $PWD"; echo "env $JJ_OPERATION_USERNAME $GIT_DIR $JJ_USER"; for word in "$@"; do echo "arg $word"; done; } >> "$(dirname "$0")/calls"
for word in "$@"; do last=$word; done
case "$*" in
  *"workspace add"*) mkdir -p "$last/.jj" && printf '%s' "$ROOT/.jj/repo" > "$last/.jj/repo" ;;
  *" log "*) echo commit ;;
esac
`;

/** A repository as jj keeps it, and a `jj` on PATH that only tells what it is asked. */
async function scene() {
  const root = await workspace({ "bin/jj": FAKE_JJ, ".jj/repo/store/type": "git", "bin/calls": "" });
  chmodSync(join(root, "bin/jj"), 0o755);
  vi.stubEnv("PATH", `${join(root, "bin")}:${process.env["PATH"]}`);
  vi.stubEnv("ROOT", root);
  vi.stubEnv("JJ_OPERATION_USERNAME", "somebody");
  vi.stubEnv("GIT_DIR", "/elsewhere/.git");
  vi.stubEnv("JJ_USER", "ada");
  const calls = () =>
    readFileSync(join(root, "bin/calls"), "utf8")
      .split(/^in /m)
      .filter((call) => call !== "");
  return { root, path: join(root, "trees/x"), calls, worktrees: new Worktrees() };
}

/** What in a repository's settings would make jj run a program. */
const DANGERS = [
  /^arg fsmonitor\.backend="none"$/m,
  /^arg signing\.behavior="drop"$/m,
  /^arg signing\.backend="none"$/m,
  /^arg ui\.editor="true"$/m,
  /^arg ui\.diff-formatter=":color-words"$/m,
  /^arg ui\.merge-editor=":builtin"$/m,
  /^arg --no-pager$/m,
];

describe("the engine's jj", () => {
  it("is called with everything off that settings of a repository could make it run, and a clean environment", async () => {
    const { root, path, calls, worktrees } = await scene();
    await worktrees.ensure(root, { path, branch: "work/x" });
    await worktrees.ensure(root, { path, branch: "work/x" });
    await worktrees.remove(root, { path, branch: "work/x" });
    expect(calls().length).toBeGreaterThan(5);
    for (const call of calls()) {
      for (const danger of DANGERS) expect(call).toMatch(danger);
      expect(call).toContain("\nenv   ada\n");
    }
  });

  it("is not led to another repository by what an agent puts in the place of a workspace's `.jj`", async () => {
    const { root, path, calls, worktrees } = await scene();
    await worktrees.ensure(root, { path });
    const evil = await workspace({ "repo/config.toml": "[signing]\n" });
    writeFileSync(join(path, ".jj/repo"), join(evil, "repo"));
    const before = calls().length;
    expect(await worktrees.remove(root, { path })).toBe(false);
    await expect(worktrees.ensure(root, { path })).rejects.toMatchObject({
      code: "WORKTREE_CREATE_FAILED",
      message: expect.stringContaining("another repository"),
    });
    rmSync(join(path, ".jj"), { recursive: true });
    mkdirSync(join(path, ".jj/repo"), { recursive: true });
    expect(await worktrees.remove(root, { path })).toBe(false);
    expect(calls().length).toBe(before);
  });
});

const isInstalled = spawnSync("jj", ["--version"]).status === 0;

describe.skipIf(!isInstalled)("the real jj", () => {
  it("runs nothing that an agent has planted in a repository's settings", async () => {
    const root = await workspace({ "a.txt": "one\n" });
    const script = join(root, "evil.sh");
    writeFileSync(script, `#!/bin/sh\ntouch ${join(root, "evidence")}\n`);
    chmodSync(script, 0o755);
    const jj = (...args: string[]) => execFileSync("jj", args, { cwd: root, stdio: "pipe" });
    jj("git", "init", "--no-colocate");
    jj("commit", "-m", "first");
    jj("bookmark", "create", "main", "-r", "@-");
    for (const [name, value] of [
      ["signing.behavior", "own"],
      ["signing.backend", "gpg"],
      ["signing.backends.gpg.program", script],
      ["ui.diff-formatter", script],
      ["ui.editor", script],
      ["ui.pager", script],
      ["ui.paginate", "auto"],
    ] as const) {
      jj("config", "set", "--repo", name, value);
    }
    const worktrees = new Worktrees();
    const request = { path: join(root, "trees/x"), branch: "work/x" };
    expect(await worktrees.ensure(root, request)).toBe("main");
    expect(await worktrees.ensure(root, request)).toBeUndefined();
    expect(await worktrees.remove(root, request)).toBe(true);
    expect(existsSync(join(root, "evidence"))).toBe(false);
  });
});
