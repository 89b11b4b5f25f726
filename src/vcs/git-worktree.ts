import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GitRepository } from "./git-repository.js";
import { runVcs, worktreeFailed } from "./run-vcs.js";
import type { WorktreeRequest } from "./worktree-request.js";

interface GitWorktree {
  path: string;
  branch?: string;
  /** Why it must not be removed; the empty text without a reason. */
  locked?: string;
}

/** Reason of the lock that a worktree has while it is made: of a creation that was killed, it stays. */
const IN_THE_MAKING = "treadle is making this worktree";
/** Git's own, for the same. */
const INITIALIZING = "initializing";
/** Lies with what the repository keeps of a worktree while that is removed: of a removal that was cut short, it stays. */
const BEING_REMOVED = "treadle-removes";

/**
 * Creates the worktree, or takes one whose creation had finished as it stands.
 * @returns the base that it was made from; undefined when it was there
 * @throws WORKTREE_CREATE_FAILED
 */
export async function ensureGitWorktree(root: string, request: WorktreeRequest): Promise<string | undefined> {
  const { path, branch } = request;
  await requireGit(request, root);
  const repository = new GitRepository(root, request.signal);
  const worktrees = parseWorktrees(await repository.must(["worktree", "list", "--porcelain"], path));
  const found = worktrees.find((tree) => samePath(tree.path, path));
  if (found !== undefined && (isHalfMade(found) || (await isHalfRemoved(repository, path)))) {
    await discard(repository, path);
  } else if (found !== undefined && existsSync(path)) {
    if (branch === undefined || found.branch === branch) return undefined;
    throw worktreeFailed(
      path,
      `it exists already and is on ${found.branch ?? "no branch"}, not on ${branch}.`,
    );
  }
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw worktreeFailed(path, "the folder exists, is not empty, and is no worktree of this repository.");
  }
  const base = await resolveBase(repository, request);
  // A worktree whose folder was deleted would block its branch.
  await repository.must(["worktree", "prune"], path);
  const holder = worktrees.find(
    (tree) => branch !== undefined && tree.branch === branch && tree !== found && existsSync(tree.path),
  );
  if (holder !== undefined) {
    throw worktreeFailed(path, `branch ${branch} is checked out in the worktree ${holder.path}.`, { branch });
  }
  const add = await placeAndStart(repository, request, base.commit);
  const making = ["worktree", "add", "--no-checkout", "--lock", "--reason", IN_THE_MAKING];
  await repository.must([...making, ...add], path);
  // A step of its own: settings that hold for this worktree only name filters that are not known before.
  await repository.mustIn(path, ["reset", "--hard", "--no-recurse-submodules", "--quiet"]);
  await repository.must(["worktree", "unlock", path], path);
  return base.name;
}

/** The first that can say why a worktree is locked while it is made. */
const OLDEST_GIT = [2, 33] as const;

/** @throws WORKTREE_CREATE_FAILED */
async function requireGit({ path, signal }: WorktreeRequest, cwd: string): Promise<void> {
  const { ok, stdout, stderr } = await runVcs("git", ["--version"], { cwd, signal });
  const version = /\b(\d+)\.(\d+)(?:\.\d+)*/.exec(ok ? stdout : "");
  if (!ok) throw worktreeFailed(path, `git cannot be run: ${stderr}`, { stderr });
  if (version === null) return;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const [oldest, oldestMinor] = OLDEST_GIT;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return;
  throw worktreeFailed(
    path,
    `worktrees need git ${OLDEST_GIT.join(".")} or newer, and this is ${version[0]}.`,
    {
      version: version[0],
    },
  );
}

function isHalfMade({ locked }: GitWorktree): boolean {
  return locked === IN_THE_MAKING || locked === INITIALIZING;
}

/** It lacks what a removal took before it was cut short. Where a person has worked in it since, it is theirs. */
async function isHalfRemoved(repository: GitRepository, path: string): Promise<boolean> {
  const own = repository.administrationOf(path);
  if (own === undefined || !existsSync(join(own, BEING_REMOVED))) return false;
  const status = await repository.runIn(path, ["status", "--porcelain", "--ignore-submodules=all"]);
  const changes = status?.ok === true ? status.stdout.split("\n").filter((line) => line !== "") : [];
  const isTouched = changes.some((line) => !/^ ?D /.test(line));
  if (!isTouched && (changes.length > 0 || !existsSync(join(path, ".git")))) return true;
  rmSync(join(own, BEING_REMOVED), { force: true });
  return false;
}

async function discard(repository: GitRepository, path: string): Promise<void> {
  // Twice: once would not remove a locked one.
  await repository.run(["worktree", "remove", "--force", "--force", path]);
  const left = repository.administrationOf(path);
  if (left !== undefined) rmSync(left, { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}

async function placeAndStart(
  repository: GitRepository,
  { path, branch }: WorktreeRequest,
  commit: string,
): Promise<string[]> {
  if (branch === undefined) return ["--detach", path, commit];
  const isKnown = (await repository.run(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])).ok;
  return isKnown ? [path, branch] : ["-b", branch, path, commit];
}

/** The commit to start from: the local branch, else the one of origin; without a wish, `main` or what is checked out. */
async function resolveBase(
  repository: GitRepository,
  { path, baseBranch }: WorktreeRequest,
): Promise<{ name: string; commit: string }> {
  const name = baseBranch ?? "main";
  for (const candidate of [name, `origin/${name}`]) {
    const found = await commitOf(repository, candidate);
    if (found !== undefined) return { name, commit: found };
  }
  const head = baseBranch === undefined ? await commitOf(repository, "HEAD") : undefined;
  if (head !== undefined) {
    const current = await repository.run(["symbolic-ref", "--quiet", "--short", "HEAD"]);
    return { name: current.ok ? current.stdout : head, commit: head };
  }
  throw worktreeFailed(path, `there is no base branch ${name}, neither here nor at origin.`, {
    baseBranch: name,
  });
}

async function commitOf(repository: GitRepository, name: string): Promise<string | undefined> {
  const found = await repository.run([
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${name}^{commit}`,
  ]);
  return found.ok ? found.stdout : undefined;
}

/** Removes a worktree that holds nothing of its own; false when it was left. */
export async function removeGitWorktree(root: string, request: WorktreeRequest): Promise<boolean> {
  const { path, baseBranch = "main" } = request;
  const repository = new GitRepository(root, request.signal);
  if (await removeRest(repository, path)) return true;
  const own = repository.administrationOf(path);
  if (own === undefined || !existsSync(path)) return false;
  const status = await repository.runIn(path, ["status", "--porcelain", "--ignore-submodules=all"]);
  if (status?.ok !== true || status.stdout !== "") return false;
  const head = await repository.runIn(path, ["rev-parse", "HEAD"]);
  if (head?.ok !== true || !(await isKeptElsewhere(repository, head.stdout, baseBranch))) return false;
  writeFileSync(join(own, BEING_REMOVED), "");
  // Without --force, so git's own look at the folder has the last word.
  if ((await repository.run(["worktree", "remove", path])).ok) return true;
  // It has refused, or has come half of the way.
  return removeRest(repository, path);
}

async function removeRest(repository: GitRepository, path: string): Promise<boolean> {
  if (!(await isHalfRemoved(repository, path))) return false;
  await discard(repository, path);
  return true;
}

/** The commit is part of the base branch or of a remote branch: removing its worktree loses nothing. */
async function isKeptElsewhere(repository: GitRepository, commit: string, base: string): Promise<boolean> {
  if ((await repository.run(["merge-base", "--is-ancestor", commit, base])).ok) return true;
  const remotes = await repository.run(["branch", "--remotes", "--contains", commit]);
  return remotes.ok && remotes.stdout !== "";
}

function parseWorktrees(porcelain: string): GitWorktree[] {
  return porcelain
    .split("\n\n")
    .filter((block) => block.startsWith("worktree "))
    .map((block) => {
      const path = /^worktree (.*)$/m.exec(block)?.[1] ?? "";
      const branch = /^branch refs\/heads\/(.*)$/m.exec(block)?.[1];
      const locked = /^locked(?: (.*))?$/m.exec(block);
      return {
        path,
        ...(branch !== undefined && { branch }),
        ...(locked !== null && { locked: locked[1] ?? "" }),
      };
    });
}

function samePath(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return a === b;
  }
}
