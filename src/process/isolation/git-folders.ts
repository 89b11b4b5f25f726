import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Folders outside a root that git works with when it is called inside of it. */
export interface GitFolders {
  /** The repository of a worktree: commits are written there. */
  readonly writable: readonly string[];
  /** Parts of it that make git run programs. */
  readonly frozen: readonly string[];
  /** Working trees around the root: programs look for packages and settings there. */
  readonly readable: readonly string[];
}

/** What a root that is a worktree, or lies in a repository, needs of the folders around it. */
export function gitFoldersAround(root: string): GitFolders {
  const common = commonFolderOf(root);
  const readable = [enclosingRepository(root)].filter((folder) => folder !== undefined);
  if (common === undefined) return { writable: [], frozen: [], readable };
  return {
    writable: [common],
    frozen: ["config", "hooks", "info"].map((name) => join(common, name)),
    readable: basename(common) === ".git" ? [...readable, dirname(common)] : readable,
  };
}

/**
 * The repository that a worktree belongs to. The `.git` file lies where an agent can write, so it is
 * believed only when the repository, which lies where it cannot, names this worktree as its own.
 */
function commonFolderOf(root: string): string | undefined {
  try {
    const link = join(root, ".git");
    if (!lstatSync(link).isFile()) return undefined;
    const target = /^gitdir: (.+)$/m.exec(readFileSync(link, "utf8"))?.[1];
    if (target === undefined) return undefined;
    const own = realpathSync(resolve(root, target));
    const back = readFileSync(join(own, "gitdir"), "utf8").trim();
    if (basename(dirname(own)) !== "worktrees" || realpathSync(back) !== realpathSync(link)) return undefined;
    return dirname(dirname(own));
  } catch {
    return undefined;
  }
}

function enclosingRepository(root: string): string | undefined {
  for (let folder = dirname(root); dirname(folder) !== folder; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
  }
  return undefined;
}
