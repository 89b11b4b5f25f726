import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Worktrees } from "../../src/vcs/worktrees.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let repo: string;
let path: string;

function git(...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: repo,
    encoding: "utf8",
  }).trim();
}

beforeEach(() => {
  repo = temporaryFolder("removals");
  path = join(repo, ".trees", "a");
  git("init", "-q", "-b", "main");
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(repo, name), `${name}\n`);
  git("add", ".");
  git("commit", "-q", "-m", "first");
});

afterEach(() => vi.unstubAllEnvs());

const make = () => new Worktrees().ensure(repo, { path });
const remove = () => new Worktrees().remove(repo, { path });
const registered = () => git("worktree", "list", "--porcelain").includes(path);

/**
 * Removes with a `git` that does this with the worktree instead, and takes the process along: nothing
 * that comes after it is reported.
 */
async function dieWhileRemoving(script: string): Promise<void> {
  const bin = temporaryFolder("bin");
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const file = join(bin, "git");
  const body = `case " $* " in *" worktree remove "*) for tree; do :; done; ${script}; touch "${bin}/begun"; exec sleep 60;; esac`;
  writeFileSync(file, `#!/bin/sh\n${body}\nexec ${real} "$@"\n`);
  chmodSync(file, 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  const stop = new AbortController();
  const removing = new Worktrees().remove(repo, { path, signal: stop.signal }).catch(() => false);
  await vi.waitUntil(() => existsSync(join(bin, "begun")), { timeout: 100_000 });
  stop.abort(new Error("The process is gone."));
  await removing;
  vi.unstubAllEnvs();
}

describe("a worktree whose removal was cut short", () => {
  it.each([
    ["lost some of its files", 'rm "$tree/a.txt"'],
    ["lost its link to the repository", 'rm "$tree/.git"'],
  ])("is made anew by the next task when it has %s", async (_lost, script) => {
    await make();
    await dieWhileRemoving(script);
    await make();
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a.txt\n");
    expect(existsSync(join(path, ".git"))).toBe(true);
  });

  it("is removed for good by the next clean-up", async () => {
    await make();
    await dieWhileRemoving('rm -r "$tree"');
    expect(registered()).toBe(true);
    await remove();
    expect(registered()).toBe(false);
  });

  it("is used as it stands when nothing had been taken, or a person has worked in it since", async () => {
    await make();
    await dieWhileRemoving(":");
    writeFileSync(join(path, "own.txt"), "mine");
    rmSync(join(path, "b.txt"));
    await make();
    expect(readFileSync(join(path, "own.txt"), "utf8")).toBe("mine");
    expect(await remove()).toBe(false);
  });
});

it("a worktree that git refuses to remove stays whole", async () => {
  await make();
  mkdirSync(join(path, "sub"));
  git("worktree", "lock", path);
  expect(await remove()).toBe(false);
  expect(existsSync(join(path, "a.txt"))).toBe(true);
  expect(git("worktree", "list", "--porcelain")).toContain("locked");
});
