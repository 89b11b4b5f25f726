import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { runVcs, type VcsCall, worktreeFailed } from "./run-vcs.js";
import type { WorktreeRequest } from "./worktree-request.js";

/**
 * Creates a jj workspace, or takes one whose creation had finished as it stands.
 * @returns the base that it was made from; undefined when it was there
 * @throws WORKTREE_CREATE_FAILED
 */
export async function ensureJjWorkspace(root: string, request: WorktreeRequest): Promise<string | undefined> {
  const { path, branch, signal } = request;
  const at = { cwd: root, signal, worktreePath: path };
  // Lies there while a workspace is made: of a creation that was killed, it stays.
  const inTheMaking = join(root, ".jj", `treadle-makes-${basename(path)}`);
  if (existsSync(inTheMaking)) {
    await runVcs("jj", ["workspace", "forget", basename(path)], at);
    rmSync(path, { recursive: true, force: true });
  }
  if (existsSync(`${path}/.jj`)) {
    if (!isWorkspaceOf(root, path)) {
      throw worktreeFailed(path, "the folder is a workspace of another repository.");
    }
    // A rewrite of its commit from another workspace has left it behind.
    await mustRunJj(["workspace", "update-stale"], { ...at, cwd: path });
    return undefined;
  }
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw worktreeFailed(path, "the folder exists, is not empty, and is no workspace of this repository.");
  }
  const isKnown = branch !== undefined && (await resolves(at, bookmark(branch)));
  const start = isKnown ? bookmark(branch) : await resolveBase(root, request);
  // A workspace whose folder was deleted would block its name.
  await runVcs("jj", ["workspace", "forget", basename(path)], at);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(inTheMaking, "");
  await mustRunJj(["workspace", "add", "--name", basename(path), "--revision", start, path], at);
  if (branch !== undefined && !isKnown) {
    await mustRunJj(["bookmark", "create", branch, "--revision", "@"], { ...at, cwd: path });
  }
  rmSync(inTheMaking);
  return request.baseBranch ?? "main";
}

/** @throws WORKTREE_CREATE_FAILED with jj's stderr */
async function mustRunJj(
  args: readonly string[],
  about: VcsCall & { worktreePath: string },
): Promise<string> {
  const { ok, stdout, stderr } = await runVcs("jj", args, about);
  if (ok) return stdout;
  throw worktreeFailed(about.worktreePath, `jj ${args.join(" ")} failed: ${stderr}`, { stderr });
}

/** An agent can write to its workspace: what it has put in the place of `.jj` does not lead jj to another repository. */
function isWorkspaceOf(root: string, path: string): boolean {
  const own = repositoryOf(path);
  return own !== undefined && own === repositoryOf(root);
}

/** The folder that `.jj/repo` is, or names. */
function repositoryOf(folder: string): string | undefined {
  const place = join(folder, ".jj");
  const repo = join(place, "repo");
  try {
    const isLink = lstatSync(repo).isFile();
    return realpathSync(isLink ? resolve(place, readFileSync(repo, "utf8").trimEnd()) : repo);
  } catch {
    return undefined;
  }
}

/** The commit to start from: the local bookmark, else the one of origin, else any other revision. */
async function resolveBase(root: string, request: WorktreeRequest): Promise<string> {
  const { path, baseBranch = "main", signal } = request;
  const remote = `remote_bookmarks(exact:${JSON.stringify(baseBranch)}, exact:"origin")`;
  for (const revset of [bookmark(baseBranch), remote, baseBranch]) {
    if (await resolves({ cwd: root, signal }, revset)) return revset;
  }
  // The commit that the repository's own workspace stands on.
  if (request.baseBranch === undefined) return "@-";
  throw worktreeFailed(path, `there is no base bookmark ${baseBranch}, neither here nor at origin.`, {
    baseBranch,
  });
}

function bookmark(name: string): string {
  return `bookmarks(exact:${JSON.stringify(name)})`;
}

/** Whether the revset names exactly one commit. */
async function resolves(at: VcsCall, revset: string): Promise<boolean> {
  const template = 'commit_id ++ "\\n"';
  const found = await runVcs("jj", ["log", "--no-graph", "--revisions", revset, "--template", template], at);
  return found.ok && found.stdout.split("\n").filter((line) => line !== "").length === 1;
}

/**
 * Forgets a workspace whose commit is empty, and removes its folder; false when it
 * was left. Its commits are part of the repository and stay there.
 */
export async function removeJjWorkspace(root: string, { path, signal }: WorktreeRequest): Promise<boolean> {
  if (!existsSync(`${path}/.jj`) || !isWorkspaceOf(root, path)) return false;
  const changes = await runVcs("jj", ["diff", "--summary"], { cwd: path, signal });
  if (!changes.ok || changes.stdout !== "") return false;
  if (!(await runVcs("jj", ["workspace", "forget", basename(path)], { cwd: root, signal })).ok) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}
