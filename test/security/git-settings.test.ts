import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Worktrees } from "../../src/vcs/worktrees.js";
import { workspace } from "../tools/support/workspace.js";

type Git = (...args: string[]) => unknown;

async function repository() {
  const root = await workspace({ "a.txt": "one\n", ".gitattributes": "*.txt filter=evil diff=evil\n" });
  const evidence = join(root, "evidence");
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd,
      stdio: "pipe",
    });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "a.txt", ".gitattributes");
  git(root, "commit", "-q", "-m", "first");
  const script = join(root, "evil.sh");
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${evidence}\ncat 2>/dev/null\n`);
  chmodSync(script, 0o755);
  return { root, git, script, evidence, ran: () => existsSync(evidence) };
}

/** Settings that an agent writes into a repository, so that another user's git runs its program. */
function plant(folder: string, script: string): void {
  const hooks = join(folder, "hooks");
  mkdirSync(hooks, { recursive: true });
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"]) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\n${script} ${hook}\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  const settings = {
    "core.fsmonitor": script,
    "core.pager": script,
    "core.editor": script,
    "core.sshCommand": script,
    "core.gitProxy": script,
    "core.alternateRefsCommand": script,
    "core.askPass": script,
    "credential.helper": `!${script}`,
    "diff.external": script,
    "diff.evil.textconv": script,
    "filter.evil.smudge": script,
    "filter.evil.clean": script,
    "filter.evil.process": script,
    "filter.evil.required": "true",
    "gpg.program": script,
    "log.showSignature": "true",
  };
  for (const [name, value] of Object.entries(settings)) {
    execFileSync("git", ["config", "--file", join(folder, "config"), name, value]);
  }
}

it("the engine's git runs nothing that an agent has planted in a repository", async () => {
  const { root, script, ran } = await repository();
  plant(join(root, ".git"), script);
  const worktrees = new Worktrees();
  const request = { path: join(root, "trees/x"), branch: "work/x" };
  expect(await worktrees.ensure(root, request)).toBe("main");
  expect(await worktrees.ensure(root, request)).toBeUndefined();
  expect(await worktrees.remove(root, request)).toBe(true);
  expect(ran()).toBe(false);
});

it.each<[where: string, attribute: string, plant: (git: Git, script: string, root: string) => void]>([
  ["under a name with an equals sign", "x=y", (git, script) => git("config", "filter.x=y.smudge", script)],
  [
    "in the settings of one worktree, which a new one gets a copy of",
    "own",
    (git, script) => {
      git("config", "extensions.worktreeConfig", "true");
      git("config", "--worktree", "filter.own.smudge", script);
    },
  ],
  [
    "in a file that counts for the new worktree only",
    "late",
    (git, script, root) => {
      writeFileSync(join(root, "late"), `[filter "late"]\n\tsmudge = ${script}\n`);
      git("config", "includeIf.gitdir:**/worktrees/**.path", join(root, "late"));
    },
  ],
])("the engine's git runs no filter that stands %s", async (_where, attribute, plantFilter) => {
  const { root, git, script, ran } = await repository();
  writeFileSync(join(root, ".gitattributes"), `*.txt filter=${attribute}\n`);
  git(root, "commit", "-q", "-a", "-m", "second");
  plantFilter((...args) => git(root, ...args), script, root);
  const request = { path: join(root, "trees/x"), branch: "work/x" };
  const worktrees = new Worktrees();
  expect(await worktrees.ensure(root, request)).toBe("main");
  expect(readFileSync(join(request.path, "a.txt"), "utf8")).toBe("one\n");
  expect(await worktrees.remove(root, request)).toBe(true);
  expect(ran()).toBe(false);
});

it("the engine's git does not follow a worktree's `.git` that an agent has replaced", async () => {
  const { root, git, script, ran } = await repository();
  const path = join(root, "trees/x");
  const worktrees = new Worktrees();
  await worktrees.ensure(root, { path, branch: "work/x" });
  rmSync(join(path, ".git"));
  git(path, "init", "-q");
  plant(join(path, ".git"), script);
  expect(await worktrees.remove(root, { path, branch: "work/x" })).toBe(false);
  expect(ran()).toBe(false);
});

it("settings of git in the engine's own environment do not lead it to another repository", async () => {
  const { root } = await repository();
  const other = await repository();
  process.env["GIT_DIR"] = join(other.root, ".git");
  process.env["GIT_CONFIG_COUNT"] = "1";
  process.env["GIT_CONFIG_KEY_0"] = "core.fsmonitor";
  process.env["GIT_CONFIG_VALUE_0"] = other.script;
  try {
    await new Worktrees().ensure(root, { path: join(root, "trees/x") });
    expect(existsSync(join(root, ".git/worktrees/x"))).toBe(true);
    expect(existsSync(join(other.root, ".git/worktrees"))).toBe(false);
    expect(other.ran()).toBe(false);
  } finally {
    for (const name of ["GIT_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"]) {
      delete process.env[name];
    }
  }
});
