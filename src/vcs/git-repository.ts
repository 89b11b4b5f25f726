import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { mustRunVcs, runVcs, type VcsResult } from "./run-vcs.js";

/**
 * A git repository, addressed by its folders as they were found once. What an agent puts in the place of
 * a `.git` file later does not lead git elsewhere.
 */
export class GitRepository {
  /** The working tree that it was found by. */
  readonly root: string;
  /** Where refs and objects are, also of its worktrees. */
  readonly common: string;

  constructor(root: string) {
    this.root = root;
    const own = ownFolder(join(root, ".git"));
    this.common = commonFolder(own);
  }

  /** Runs git on the repository itself. */
  async run(args: readonly string[]): Promise<VcsResult> {
    return runVcs("git", [`--git-dir=${this.common}`, ...(await this.#noFilters()), ...args], this.root);
  }

  /** As run, for a step that must succeed. @throws WORKTREE_CREATE_FAILED */
  async must(args: readonly string[], worktreePath: string): Promise<string> {
    const all = [`--git-dir=${this.common}`, ...(await this.#noFilters()), ...args];
    return mustRunVcs("git", all, { cwd: this.root, worktreePath });
  }

  /** Runs git in one of its worktrees; undefined when it is none. */
  async runIn(worktree: string, args: readonly string[]): Promise<VcsResult | undefined> {
    const own = this.administrationOf(worktree);
    if (own === undefined) return undefined;
    const place = [`--git-dir=${own}`, `--work-tree=${worktree}`];
    return runVcs("git", [...place, ...(await this.#noFilters()), ...args], worktree);
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

  /**
   * Options that switch off the filters of the repository's own settings: a checkout would run them. Those
   * of the user's settings stay, such as that of large files.
   */
  async #noFilters(): Promise<string[]> {
    const args = [
      `--git-dir=${this.common}`,
      "config",
      "--local",
      "--includes",
      "--name-only",
      "--get-regexp",
    ];
    const { stdout } = await runVcs(
      "git",
      [...args, "^filter\\..*\\.(smudge|clean|process|required)$"],
      this.root,
    );
    const names = new Set(stdout.split("\n").filter((name) => name !== ""));
    return [...names].flatMap((name) => ["-c", `${name}=${name.endsWith(".required") ? "false" : ""}`]);
  }
}

/** The `.git` folder, or the one that a `.git` file names. */
function ownFolder(git: string): string {
  if (lstatSync(git, { throwIfNoEntry: false })?.isFile() !== true) return realPath(git);
  const target = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))?.[1] ?? "";
  return realPath(resolve(dirname(git), target));
}

function commonFolder(own: string): string {
  const target = firstLine(join(own, "commondir"));
  return target === "" ? own : realPath(resolve(own, target));
}

function realLink(link: string, own: string): string {
  return link === "" ? "" : join(realPath(dirname(resolve(own, link))), ".git");
}

function firstLine(path: string): string {
  return existsSync(path) ? (readFileSync(path, "utf8").split("\n")[0] ?? "") : "";
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
