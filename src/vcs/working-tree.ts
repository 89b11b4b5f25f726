import { lstatSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { commonFolder, firstLine, ownFolder, realLink, withoutFilters } from "./git-repository.js";
import { runVcs, type VcsCall, type VcsResult } from "./run-vcs.js";

/** Why nothing can be recorded; not an error of the task that was at work. */
export class NotRecorded extends Error {}

/** What the engine sets for each command: who made the commits, and nothing that a repository says about indexes and logs. */
const SETTINGS = [
  "core.splitIndex=false",
  "core.untrackedCache=false",
  "core.safecrlf=false",
  "core.bare=false",
  "core.quotePath=true",
  "core.logAllRefUpdates=false",
  "commit.gpgSign=false",
  "i18n.commitEncoding=UTF-8",
].flatMap((setting) => ["-c", setting]);

const VARIABLES = {
  GIT_AUTHOR_NAME: "treadle",
  GIT_AUTHOR_EMAIL: "treadle@localhost",
  GIT_COMMITTER_NAME: "treadle",
  GIT_COMMITTER_EMAIL: "treadle@localhost",
  // Of a partial clone, what is not there is not fetched.
  GIT_NO_LAZY_FETCH: "1",
};

export type GitCall = Pick<VcsCall, "input" | "isBinary" | "limitMs"> & { index?: string };

/** A git working tree, with the folder in which git keeps what belongs to it. */
export class WorkingTree {
  /** Without links. */
  readonly root: string;
  /** Where HEAD and the index are. */
  readonly own: string;
  readonly #signal: AbortSignal | undefined;
  readonly #filters: readonly string[];

  private constructor(
    { root, own }: { root: string; own: string },
    filters: readonly string[],
    signal: AbortSignal | undefined,
  ) {
    this.root = root;
    this.own = own;
    this.#filters = filters;
    this.#signal = signal;
  }

  /**
   * Opens the working tree with this root. What a task has put in the place of `.git` leads nowhere: a link is not
   * followed, and the folder that a file names has to name the working tree in turn.
   * @throws NotRecorded
   */
  static async open(folder: string, signal?: AbortSignal): Promise<WorkingTree> {
    const root = realpathSync(folder);
    const git = join(root, ".git");
    const kind = lstatSync(git, { throwIfNoEntry: false });
    if (kind === undefined) throw new NotRecorded(`there is no ${git}`);
    if (kind.isSymbolicLink()) throw new NotRecorded(`${git} is a link`);
    const own = ownFolder(git);
    if (kind.isFile() && !(await namesBack(own, root, signal))) {
      throw new NotRecorded(`${git} names ${own}, which does not name ${root} in turn`);
    }
    const filters = await withoutFilters({ folder: own, cwd: root, signal });
    if (!Array.isArray(filters)) throw new NotRecorded(`git does not read its settings: ${filters.stderr}`);
    return new WorkingTree({ root, own }, filters, signal);
  }

  run(args: readonly string[], { index, ...call }: GitCall = {}): Promise<VcsResult> {
    const variables = index === undefined ? VARIABLES : { ...VARIABLES, GIT_INDEX_FILE: index };
    const place = [`--git-dir=${this.own}`, `--work-tree=${this.root}`];
    const at = { cwd: this.root, signal: this.#signal, graceSeconds: 1, variables };
    return runVcs("git", [...place, ...SETTINGS, ...this.#filters, ...args], { ...at, ...call });
  }

  /** As run, for a step that must succeed. @throws NotRecorded with git's own words */
  async must(args: readonly string[], call: GitCall = {}): Promise<string> {
    const { ok, stdout, stderr, isCut } = await this.run(args, call);
    if (ok && isCut !== true) return stdout;
    const why = ok ? "its answer is too long" : stderr.slice(0, 500);
    throw new NotRecorded(`git ${args[0] ?? ""} failed: ${why}`);
  }

  /** The commit that is checked out; null before the first one. */
  async head(): Promise<string | null> {
    const known = looseHead(this.own);
    if (known !== undefined) return known;
    const found = await this.run(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]);
    return found.ok ? found.stdout : null;
  }
}

/** The commit, where git keeps it as a file of its own; undefined where git has to be asked. */
function looseHead(own: string): string | undefined {
  const head = firstLine(join(own, "HEAD"));
  const branch = /^ref: (refs\/heads\/.+)$/.exec(head)?.[1];
  const file = branch === undefined ? undefined : join(commonFolder(own), branch);
  const isLoose = file !== undefined && lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const id = file === undefined ? head : isLoose ? firstLine(file) : "";
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : undefined;
}

/** A worktree's folder has a file that names it; that of a submodule a setting. */
async function namesBack(own: string, root: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (realLink(firstLine(join(own, "gitdir")), own) === join(root, ".git")) return true;
  const args = [`--git-dir=${own}`, "config", "--file", join(own, "config"), "--get", "core.worktree"];
  const found = await runVcs("git", args, { cwd: root, signal });
  if (!found.ok || found.stdout === "") return false;
  try {
    return realpathSync(resolve(own, found.stdout)) === root;
  } catch {
    return false;
  }
}
