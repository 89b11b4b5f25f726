import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTools } from "../../src/tools/index.js";
import { findGitRemoteCommand } from "../../src/tools/process/git-remote.js";
import { isIsolationPermitted } from "./support/isolation.js";
import { workspace } from "./support/workspace.js";

describe("finding a git command that talks to a remote", () => {
  it.each([
    ["git push", "git push"],
    ["git push origin main --force", "git push"],
    ["cd sub && git pull", "git pull"],
    ["git -C sub -c user.name=x fetch", "git fetch"],
    ["git --no-pager --git-dir=.git ls-remote", "git ls-remote"],
    ["GIT_TRACE=1 /usr/bin/git clone https://example.org/x", "git clone"],
    ["true; (git fetch) | cat", "git fetch"],
    ["echo $(git ls-remote)", "git ls-remote"],
    ["if true; then :; fi\ngit push", "git push"],
    ["env A=b git 'push'", "git push"],
    ["gi\\t push", "git push"],
    ["git remote update", "git remote update"],
    ["git submodule --quiet update --init", "git submodule update"],
  ])("sees it in %j", (line, found) => {
    expect(findGitRemoteCommand(line)).toBe(found);
  });

  it.each([
    "git status",
    "git commit -m 'git push'",
    'git commit -m "then git push; done"',
    "echo git push",
    "git log push",
    "git remote -v",
    "git remote add origin https://example.org/x",
    "grep 'git pull' README.md",
    "legit push",
    "git stash push",
    "",
  ])("does not see one in %j", (line) => {
    expect(findGitRemoteCommand(line)).toBeUndefined();
  });
});

describe.runIf(isIsolationPermitted)("git in bash without the network", () => {
  const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, stdio: "pipe" });

  async function repository() {
    const rootDir = await workspace({ "f.txt": "text\n" });
    const elsewhere = await workspace();
    git(elsewhere, "init", "--bare", "-q", "remote.git");
    git(rootDir, "init", "-q", "-b", "main");
    git(rootDir, "remote", "add", "origin", join(elsewhere, "remote.git"));
    const env = {
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.org",
    };
    const remoteBranches = () => git(join(elsewhere, "remote.git"), "branch", "--list").toString();
    return { rootDir, env, remoteBranches };
  }

  it("works locally", async () => {
    const { rootDir, env } = await repository();
    const { bash } = createTools({ rootDir, env });
    const cmd = "git add . && git commit -q -m 'first, then git push' && git log --format=%s";
    expect(await bash.execute({ cmd })).toBe("first, then git push\n");
  });

  it("refuses a remote before anything of the line has run", async () => {
    const { rootDir, env } = await repository();
    const { bash } = createTools({ rootDir, env });
    await expect(bash.execute({ cmd: "touch ran; git push origin main" })).rejects.toMatchObject({
      code: "TOOL_GIT_REMOTE_DISABLED",
      summary: "`git push` talks to a remote.",
    });
    await expect(bash.execute({ cmd: "git", args: ["push"] })).rejects.toMatchObject({
      code: "TOOL_GIT_REMOTE_DISABLED",
    });
    expect(await bash.execute({ cmd: "ls" })).toBe("f.txt\n");
  });

  it("refuses a remote that a script, an alias or a variable hides, even one on the same disk", async () => {
    const { rootDir, env, remoteBranches } = await repository();
    const { bash } = createTools({ rootDir, env });
    await bash.execute({ cmd: "git add . && git commit -q -m first" });
    for (const cmd of [
      "echo 'git push -q origin main' > ship.sh; sh ship.sh",
      "git config alias.ship push; git ship origin main",
      "verb=push; git $verb origin main",
    ]) {
      await expect(bash.execute({ cmd })).rejects.toMatchObject({ code: "TOOL_GIT_REMOTE_DISABLED" });
    }
    expect(remoteBranches()).toBe("");
  });

  it("may use remotes once the network is allowed", async () => {
    const { rootDir, env, remoteBranches } = await repository();
    const { bash } = createTools({ rootDir, env, allowNetwork: true, toolIsolation: "none" });
    await bash.execute({ cmd: "git add . && git commit -q -m first && git push -q origin main" });
    expect(remoteBranches()).toContain("main");
  });
});
