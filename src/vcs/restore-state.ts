import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ServiceError } from "../errors/service-error.js";
import type { FileState } from "./file-state.js";
import { firstLine, realLink, withoutFilters } from "./git-repository.js";
import { ensureJjWorkspace } from "./jj-workspace.js";
import { runVcs } from "./run-vcs.js";

/** Reason of the lock that the new worktree has while it is made. */
const IN_THE_MAKING = "treadle is restoring files";

/**
 * Makes a new worktree with the files of a state: on the commit that was checked out then, what differed from it as
 * changes that are not committed. The working tree that was recorded is not touched, and no branch is made.
 * @param path there must be nothing yet
 * @throws VCS_WORKSPACE_CREATE_FAILED; then nothing is left of it
 */
export async function restoreState(state: FileState, path: string): Promise<void> {
  if (existsSync(path)) throw failed(state, path, "there is something at this path already.");
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (state.vcs === "jj") await restoreJj(state, path);
    else await restoreGit(state, path);
  } catch (error) {
    await removeRestored(state, path);
    if (ServiceError.is(error, "VCS_WORKSPACE_CREATE_FAILED")) throw error;
    throw failed(state, path, error instanceof Error ? error.message : String(error));
  }
}

/** Takes a worktree that `restoreState` has made away again, with all that is in it. */
export async function removeRestored({ vcs, root, gitFolder }: FileState, path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  const own = vcs === "git" ? administration(gitFolder, path) : undefined;
  if (own !== undefined) rmSync(own, { recursive: true, force: true });
  if (vcs === "jj") await runVcs("jj", ["workspace", "forget", workspaceName(path)], { cwd: root });
}

async function restoreGit(state: FileState, path: string): Promise<void> {
  const { gitFolder, commit, head } = state;
  const git = async (folder: string, args: readonly string[]) => {
    const at = { folder, cwd: gitFolder };
    const filters = await withoutFilters(at);
    if (!Array.isArray(filters)) throw failed(state, path, filters.stderr);
    const settings = ["-c", "core.sparseCheckout=false", "-c", "core.bare=false", ...filters];
    const done = await runVcs("git", [`--git-dir=${folder}`, ...settings, ...args], at);
    if (!done.ok) throw failed(state, path, done.stderr.slice(0, 1_000));
  };
  const making = ["--no-checkout", "--detach", "--lock", "--reason", IN_THE_MAKING];
  await git(gitFolder, ["worktree", "add", ...making, path, head ?? commit]);
  const own = administration(gitFolder, path);
  if (own === undefined) throw failed(state, path, "git has made no worktree there.");
  await git(own, [`--work-tree=${path}`, "read-tree", "--reset", "-u", "--no-recurse-submodules", commit]);
  await git(gitFolder, ["worktree", "unlock", path]);
}

async function restoreJj({ root, commit }: FileState, path: string): Promise<void> {
  await ensureJjWorkspace(root, { path, baseBranch: commit });
}

const workspaceName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The folder in which a repository keeps what belongs to a worktree. */
function administration(gitFolder: string, path: string): string | undefined {
  const folder = join(gitFolder, "worktrees");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .map((name) => join(folder, name))
    .find((own) => realLink(firstLine(join(own, "gitdir")), own) === join(path, ".git"));
}

function failed({ commit }: FileState, path: string, why: string): ServiceError {
  return new ServiceError(
    "VCS_WORKSPACE_CREATE_FAILED",
    `The files of ${commit.slice(0, 12)} cannot be checked out into ${path}: ${why}`,
    { details: { path, commit }, retryable: false },
  );
}
