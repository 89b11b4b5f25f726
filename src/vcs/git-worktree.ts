import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mustRunVcs, runVcs, worktreeFailed } from "./run-vcs.js";
import type { WorktreeRequest } from "./worktree-request.js";

interface GitWorktree {
  path: string;
  branch?: string;
}

/** Creates the worktree, or takes it as it stands. True when it was created. @throws WORKTREE_CREATE_FAILED */
export async function ensureGitWorktree(root: string, request: WorktreeRequest): Promise<boolean> {
  const { path, branch } = request;
  const at = { cwd: root, worktreePath: path };
  const worktrees = parseWorktrees(await mustRunVcs("git", ["worktree", "list", "--porcelain"], at));
  const existing = existsSync(path) ? worktrees.find((tree) => samePath(tree.path, path)) : undefined;
  if (existing !== undefined) {
    if (branch === undefined || existing.branch === branch) return false;
    throw worktreeFailed(
      path,
      `it exists already and is on ${existing.branch ?? "no branch"}, not on ${branch}.`,
    );
  }
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw worktreeFailed(path, "the folder exists, is not empty, and is no worktree of this repository.");
  }
  const base = await resolveBase(root, request);
  // A worktree whose folder somebody deleted would block its branch.
  await mustRunVcs("git", ["worktree", "prune"], at);
  if (branch === undefined) {
    await mustRunVcs("git", ["worktree", "add", "--detach", path, base], at);
    return true;
  }
  const holder = worktrees.find((tree) => tree.branch === branch && existsSync(tree.path));
  if (holder !== undefined) {
    throw worktreeFailed(path, `branch ${branch} is checked out in the worktree ${holder.path}.`, { branch });
  }
  const isKnown = (await runVcs("git", ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], root))
    .ok;
  const add = isKnown ? [path, branch] : ["-b", branch, path, base];
  await mustRunVcs("git", ["worktree", "add", ...add], at);
  return true;
}

/** The commit to start from: the local branch, else the one of origin. */
async function resolveBase(root: string, { path, baseBranch }: WorktreeRequest): Promise<string> {
  for (const name of [baseBranch, `origin/${baseBranch}`]) {
    const found = await runVcs("git", ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], root);
    if (found.ok) return found.stdout;
  }
  throw worktreeFailed(path, `there is no base branch ${baseBranch}, neither here nor at origin.`, {
    baseBranch,
  });
}

/** Removes a worktree that holds nothing of its own; false when it was left. */
export async function removeGitWorktree(root: string, request: WorktreeRequest): Promise<boolean> {
  const { path, baseBranch } = request;
  if (!existsSync(path)) return false;
  const status = await runVcs("git", ["status", "--porcelain"], path);
  if (!status.ok || status.stdout !== "") return false;
  const head = await runVcs("git", ["rev-parse", "HEAD"], path);
  if (!head.ok || !(await isKeptElsewhere(root, head.stdout, baseBranch))) return false;
  // Without --force, so git's own look at the folder has the last word.
  return (await runVcs("git", ["worktree", "remove", path], root)).ok;
}

/** The commit is part of the base branch or of a remote branch: removing its worktree loses nothing. */
async function isKeptElsewhere(root: string, commit: string, baseBranch: string): Promise<boolean> {
  if ((await runVcs("git", ["merge-base", "--is-ancestor", commit, baseBranch], root)).ok) return true;
  const remotes = await runVcs("git", ["branch", "--remotes", "--contains", commit], root);
  return remotes.ok && remotes.stdout !== "";
}

function parseWorktrees(porcelain: string): GitWorktree[] {
  return porcelain
    .split("\n\n")
    .filter((block) => block.startsWith("worktree "))
    .map((block) => {
      const path = /^worktree (.*)$/m.exec(block)?.[1] ?? "";
      const branch = /^branch refs\/heads\/(.*)$/m.exec(block)?.[1];
      return branch === undefined ? { path } : { path, branch };
    });
}

function samePath(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return a === b;
  }
}
