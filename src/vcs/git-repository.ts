import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EMPTY_VARIABLE, runVcs, type VcsCall, type VcsResult, worktreeFailed } from "./run-vcs.js";

/**
 * A git repository, addressed by its folders as they were found once. A file that an agent puts in the place of
 * a `.git` file later does not lead git elsewhere.
 */
export class GitRepository {
  /** The working tree that it was found by. */
  readonly root: string;
  /** Where refs and objects are, also of its worktrees. */
  readonly common: string;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends the command that is running, and lets none begin */
  constructor(root: string, signal: AbortSignal | undefined) {
    this.root = root;
    this.#signal = signal;
    const own = ownFolder(join(root, ".git"));
    this.common = commonFolder(own);
  }

  /** Runs git on the repository itself. */
  run(args: readonly string[]): Promise<VcsResult> {
    return runUnfiltered({ folder: this.common, cwd: this.root, signal: this.#signal }, args);
  }

  /** As run, for a step that must succeed. @throws WORKTREE_CREATE_FAILED with git's stderr */
  async must(args: readonly string[], worktreePath: string): Promise<string> {
    return succeeded(await this.run(args), args, worktreePath);
  }

  /** Runs git in one of its worktrees; undefined when it is none. */
  async runIn(worktree: string, args: readonly string[]): Promise<VcsResult | undefined> {
    const own = this.administrationOf(worktree);
    return own === undefined
      ? undefined
      : runUnfiltered({ folder: own, cwd: worktree, signal: this.#signal }, [
          `--work-tree=${worktree}`,
          ...args,
        ]);
  }

  /** As runIn, for a step that must succeed. @throws WORKTREE_CREATE_FAILED with git's stderr */
  async mustIn(worktree: string, args: readonly string[]): Promise<string> {
    const nothing = { ok: false, stdout: "", stderr: "it is no worktree of this repository" };
    return succeeded((await this.runIn(worktree, args)) ?? nothing, args, worktree);
  }

  /** The folder in which the repository keeps what belongs to a worktree. */
  administrationOf(worktree: string): string | undefined {
    const folder = join(this.common, "worktrees");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const link = join(realPath(worktree), ".git");
    return names
      .map((name) => join(folder, name))
      .find((own) => realLink(firstLine(join(own, "gitdir")), own) === link);
  }
}

/** Runs git with the settings of a git folder, but without the filters that they name: a checkout would run them. */
async function runUnfiltered(at: GitFolder, args: readonly string[]): Promise<VcsResult> {
  const filters = await withoutFilters(at);
  if (!Array.isArray(filters)) return filters;
  return runVcs("git", [`--git-dir=${at.folder}`, ...filters, ...args], at);
}

export interface GitFolder extends VcsCall {
  readonly folder: string;
}

/** Options of git that switch the filters off which the settings of a git folder name, or the failure to read these. */
export async function withoutFilters(at: GitFolder): Promise<string[] | VcsResult> {
  if (!mayHaveFilters(at.folder)) return [];
  const filters = await filtersOf(at);
  return Array.isArray(filters) ? filters.flatMap(switchedOff) : filters;
}

/** Saves a process for nearly all repositories: their settings hold none of the words. */
function mayHaveFilters(folder: string): boolean {
  const files = [join(commonFolder(folder), "config"), join(folder, "config.worktree")];
  return files.some((file) => existsSync(file) && /filter|include/i.test(readFileSync(file, "latin1")));
}

const FILTER_SETTINGS = "^filter\\..*\\.(smudge|clean|process|required)$";

/**
 * Names of the settings of filters that stand in the repository, be it for all of its worktrees or for the
 * one of this git folder. Those of the user's settings are left alone, such as that of large files.
 */
async function filtersOf(at: GitFolder): Promise<string[] | VcsResult> {
  const list = ["config", "--includes", "--show-scope", "--name-only", "--get-regexp", FILTER_SETTINGS];
  const found = await runVcs("git", [`--git-dir=${at.folder}`, ...list], at);
  // Without any, git fails and says nothing.
  if (!found.ok && found.stderr !== "") return found;
  const names = found.stdout.split("\n").map((line) => /^(?:local|worktree)\t(.*)$/s.exec(line)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Of `-c`, the name ends at the first equals sign; of the other, which is younger, at the last one. */
function switchedOff(name: string): string[] {
  return name.includes("=") ? [`--config-env=${name}=${EMPTY_VARIABLE}`] : ["-c", `${name}=`];
}

function succeeded({ ok, stdout, stderr }: VcsResult, args: readonly string[], worktreePath: string): string {
  if (ok) return stdout;
  throw worktreeFailed(worktreePath, `git ${args.join(" ")} failed: ${stderr}`, { stderr });
}

/** The `.git` folder, or the one that a `.git` file names. */
export function ownFolder(git: string): string {
  if (lstatSync(git, { throwIfNoEntry: false })?.isFile() !== true) return realPath(git);
  const target = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))?.[1] ?? "";
  return realPath(resolve(dirname(git), target));
}

export function commonFolder(own: string): string {
  const target = firstLine(join(own, "commondir"));
  return target === "" ? own : realPath(resolve(own, target));
}

export function realLink(link: string, own: string): string {
  return link === "" ? "" : join(realPath(dirname(resolve(own, link))), ".git");
}

export function firstLine(path: string): string {
  return existsSync(path) ? (readFileSync(path, "utf8").split("\n")[0] ?? "") : "";
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
