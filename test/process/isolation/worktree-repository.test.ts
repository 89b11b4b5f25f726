import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { bubblewrapWay, confinedTo, isBubblewrapPermitted } from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

const PERSON = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.org",
  GIT_CONFIG_NOSYSTEM: "1",
};

/** A repository with a worktree that a command works in, and another one. */
async function repository() {
  const top = await workspace({ "a.txt": "one\n" });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: top, env: { ...process.env, ...PERSON }, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  // As a sparse checkout leaves it.
  git("config", "extensions.worktreeConfig", "true");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  git("worktree", "add", "-q", "-b", "work", "trees/x");
  git("worktree", "add", "-q", "-b", "other", "trees/y");
  const root = join(top, "trees/x");
  const run = async (cmd: string) => {
    const confinement = confinedTo(root);
    const env = { ...confinement.env, ...PERSON };
    const { output } = await runCommand({
      argv: ["bash", "-c", `C="$(git rev-parse --git-common-dir)"; W="$(git rev-parse --git-dir)"\n${cmd}`],
      isolation: bubblewrapWay({ ...confinement, env }),
      cwd: root,
      env,
      signal: new AbortController().signal,
      maxOutputBytes: 100_000,
    });
    return output;
  };
  return { top, root, git, run };
}

/** A monitor that tells on the host that it was run, and a repository of the command's own that names it. */
const EVIL = `
  mkdir -p evil/git/objects evil/git/refs
  printf '#!/bin/sh\\ntouch "%s/../../ran"\\n' "$PWD" > evil/run; chmod +x evil/run
  printf '[core]\\nrepositoryformatversion = 0\\nfsmonitor = %s/evil/run\\n' "$PWD" > evil/git/config
`;

describe.runIf(isBubblewrapPermitted)("the repository of a worktree that a confined command works in", () => {
  it.each([
    ["a folder that settings are shared with", `echo "$PWD/evil/git" > "$C/commondir"`],
    ["settings of the main worktree", `cp evil/git/config "$C/config.worktree"`],
    ["settings of another worktree", `cp evil/git/config "$C/worktrees/y/config.worktree"`],
    ["where another worktree has its settings", `echo "$PWD/evil/git" > "$C/worktrees/y/commondir"`],
    ["its own worktree's settings", `cp -f evil/git/config "$W/config.worktree"`],
    ["where its own worktree has its settings", `echo "$PWD/evil/git" > "$W/commondir"`],
    ["where its own worktree has its repository", `echo "gitdir: $PWD/evil/git" > .git`],
    ["the folder of its settings, moved", `mv "$W" "$W.2"; cp -r evil/git "$W"; mv "$C" "$C.2"`],
    ["settings of a submodule", `mkdir -p "$C/modules/m"; cp evil/git/config "$C/modules/m/config"`],
  ])("does not make a person's git run programs: %s", async (_what, plant) => {
    const { top, git, run } = await repository();
    const before = readdirSync(join(top, ".git")).filter((name) => name !== "packed-refs");
    await run(`${EVIL}\n${plant}`);
    for (const folder of [".", "trees/x", "trees/y"]) git("-C", folder, "status", "--short");
    expect(existsSync(join(top, "ran"))).toBe(false);
    expect(readdirSync(join(top, ".git")).filter((name) => name !== "packed-refs")).toEqual(before);
  });

  it.each([
    ["of the main worktree", `ln -sf "$PWD/../../target" "$C/logs/HEAD"`],
    ["of its branch", `ln -sf "$PWD/../../target" "$C/logs/refs/heads/main"`],
    ["of another worktree's branch", `ln -sf "$PWD/../../target" "$C/logs/refs/heads/other"`],
    [
      "of its branch, in a new folder",
      `mv "$C/logs/refs" "$C/logs/old"; mkdir -p "$C/logs/refs/heads"; ln -sf "$PWD/../../target" "$C/logs/refs/heads/main"`,
    ],
  ])("has a person's git write to no file through a log %s", async (_which, plant) => {
    const { top, git, run } = await repository();
    await run(plant);
    for (const folder of [".", "trees/y"]) git("-C", folder, "commit", "-q", "--allow-empty", "-m", "next");
    expect(existsSync(join(top, "target"))).toBe(false);
    expect(git("log", "-1", "--format=%s").trim()).toBe("next");
  });

  it("keeps what the main worktree has checked out and put into its index", async () => {
    const { top, run } = await repository();
    const before = ["HEAD", "index"].map((name) => readFileSync(join(top, ".git", name), "base64"));
    await run(`echo x > "$C/HEAD"; echo x > "$C/index"; rm -f "$C/HEAD" "$C/index"`);
    expect(["HEAD", "index"].map((name) => readFileSync(join(top, ".git", name), "base64"))).toEqual(before);
  });

  it("takes commits, branches, tags, notes, stashes and rebases", async () => {
    const { git, run } = await repository();
    await run(`
      echo two > b.txt && git add . && git commit -q -m second && git tag v1 && git notes add -m noted
      echo three > b.txt && git stash -q && git stash pop -q && git commit -q -a -m third && git update-ref -d refs/tags/v1
      git checkout -q -b side main && echo side > c.txt && git add . && git commit -q -m side && git rebase -q work
    `);
    expect(git("log", "--format=%s", "side")).toBe("side\nthird\nsecond\nfirst\n");
    const names = [
      "refs/heads/main",
      "refs/heads/other",
      "refs/heads/side",
      "refs/heads/work",
      "refs/notes/commits",
    ];
    expect(git("for-each-ref", "--format=%(refname)").trim().split("\n")).toEqual(names);
    expect(git("reflog", "--format=%gs", "work")).toContain("commit: third");
  });

  it("loses no reference to a command that packs them", async () => {
    const { git, run } = await repository();
    await run("git pack-refs --all --prune; git gc -q; git tag -a -m x late");
    expect(git("for-each-ref", "--format=%(refname:short)")).toBe("main\nother\nwork\nlate\n");
    expect(git("fsck")).toBe("");
  });
});
