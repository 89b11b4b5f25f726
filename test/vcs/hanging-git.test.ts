import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runVcs } from "../../src/vcs/run-vcs.js";
import { Worktrees } from "../../src/vcs/worktrees.js";
import { workspace } from "../tools/support/workspace.js";

afterEach(() => vi.unstubAllEnvs());

/** A repository, and a `git` on PATH that does what the script says. */
async function scene(script: string) {
  const root = await workspace({ "bin/git": `#!/bin/sh\n${script}\n` });
  chmodSync(join(root, "bin/git"), 0o755);
  mkdirSync(join(root, ".git"));
  vi.stubEnv("PATH", `${join(root, "bin")}:${process.env["PATH"]}`);
  return { root, began: join(root, "began"), ended: join(root, "ended") };
}

/** Says that it has begun; when it is asked to end, that it has cleared up. */
const HANGS = `cd "$(dirname "$0")/.."; trap 'touch ended; exit 1' TERM; touch began; while :; do sleep 0.05; done`;

/** The first of several limits, each ten times the one before, in which a busy machine comes to what the test is about. */
async function firstLimit(isEnough: (limitMs: number) => Promise<boolean>): Promise<number | undefined> {
  for (const limitMs of [500, 5_000, 50_000]) if (await isEnough(limitMs)) return limitMs;
  return undefined;
}

describe("a git that does not end", () => {
  it("is ended when its time is over, with an error that says which one and what it may wait for", async () => {
    const { root, began, ended } = await scene(HANGS);
    const limitMs = await firstLimit(async (ms) => {
      const summary = expect.stringMatching(`^git status in .* did not end within ${ms / 1000} s.*lock`);
      await expect(runVcs("git", ["status"], { cwd: root, limitMs: ms })).rejects.toMatchObject({
        code: "PROCESS_TIMEOUT",
        summary,
      });
      return existsSync(began);
    });
    expect(limitMs, "it has begun at last").toBeDefined();
    expect(existsSync(ended)).toBe(true);
  });

  it("is ended with the task that waits for it, and others in its queue do not begin", async () => {
    const { root, began } = await scene(HANGS);
    const worktrees = new Worktrees();
    const stop = new AbortController();
    const made = ["a", "b"].map((name) =>
      worktrees.ensure(root, { path: join(root, name), signal: stop.signal }).catch((error) => error),
    );
    await expect.poll(() => existsSync(began)).toBe(true);
    stop.abort(new Error("The run was cancelled."));
    for (const end of await Promise.all(made)) expect(end.message).toBe("The run was cancelled.");
  });
});

it("a git that is too old for worktrees is refused with its version", async () => {
  const { root } = await scene('echo "git version 2.25.1"');
  await expect(new Worktrees().ensure(root, { path: join(root, "a") })).rejects.toMatchObject({
    code: "WORKTREE_CREATE_FAILED",
    message: expect.stringContaining("worktrees need git 2.33 or newer, and this is 2.25.1"),
  });
});
