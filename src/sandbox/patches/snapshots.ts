import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { runVcs, type VcsResult } from "../../vcs/run-vcs.js";
import { type Change, NO_FILE, parseChanges } from "./change.js";

/** Folders that are never part of a snapshot: repositories, installed packages, the engine's own state. */
export const LEFT_OUT_FOLDERS: readonly string[] = [".git", ".jj", ".hg", ".service", "node_modules"];
/** The beginning of the names of the workspace's database files. */
export const LEFT_OUT_FILES = "service.db";

/** A `.gitignore` cannot bring these back, as it could what `info/exclude` names. */
const PATHSPEC = [
  ".",
  ...LEFT_OUT_FOLDERS.flatMap((name) => [
    `:(exclude,glob,icase)**/${name}`,
    `:(exclude,glob,icase)**/${name}/**`,
  ]),
  `:(exclude,glob,icase)**/${LEFT_OUT_FILES}*`,
];

/** Files are what their bytes are: no line endings, filters or encodings of a `.gitattributes`. */
const AS_THEY_ARE = "* -text !eol -ident -filter -working-tree-encoding !diff !merge !whitespace\n";

const SETTINGS = [
  "core.autocrlf=false",
  "core.fileMode=true",
  "core.symlinks=true",
  "core.precomposeUnicode=false",
  "core.quotePath=true",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.compression=0",
  "core.splitIndex=false",
  "core.untrackedCache=false",
  "apply.whitespace=nowarn",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

/** A file of a snapshot. */
export interface TreeEntry {
  /** Relative, as text. */
  readonly path: string;
  readonly mode: string;
  /** Git's id of its content. */
  readonly id: string;
}

/** A repository of git's first format, which every git reads: its own `init` is a process more for each sandbox. */
const REPOSITORY_SETTINGS = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";

interface GitPlace {
  /** @default none: only the index counts */
  readonly workTree?: string;
  readonly cwd?: string;
  readonly input?: Uint8Array;
}

/**
 * Snapshots of folders in a git repository of the engine's own, and patches between them. The folders
 * stay as they are, and what a repository in them says is not asked for. Of what git ignores there,
 * nothing is part of a snapshot.
 */
export class Snapshots {
  readonly #gitDir: string;
  readonly #signal: AbortSignal | undefined;
  /** The tree that git's index is known to hold. */
  #index: string | undefined;

  /** @param folder is made when it is not there; no one else may write to it */
  constructor(folder: string, signal?: AbortSignal) {
    this.#gitDir = folder;
    this.#signal = signal;
  }

  /** @returns the id of the snapshot's tree */
  async take(folder: string): Promise<string> {
    this.#prepare();
    this.#index = undefined;
    await this.#git(["add", "-A", "--", ...PATHSPEC], { workTree: folder, cwd: folder });
    return this.#writeTree();
  }

  /** Writes the files of the newest snapshot to an empty folder. */
  async copyTo(folder: string): Promise<void> {
    await this.#git(["checkout-index", "--all", "--index"], { workTree: folder });
  }

  /**
   * Makes a folder's files those of a snapshot. What git ignores there stays as it is.
   * @param folder may have been left by programs that no one trusts: git writes through no link
   */
  async putInto(folder: string, tree: string): Promise<void> {
    // Read anew, it takes no file for written that it knows from elsewhere.
    this.#index = undefined;
    await this.#readTree(tree);
    await this.#git(["checkout-index", "--all", "--force", "--index"], { workTree: folder, cwd: folder });
    await this.#git(["clean", "-d", "--force", "--quiet"], { workTree: folder, cwd: folder });
  }

  /** Writes these files of a snapshot to an empty folder. */
  async copyFiles(tree: string, changes: readonly Change[], folder: string): Promise<void> {
    if (changes.length === 0) return;
    await this.#readTree(tree);
    const paths = changes.flatMap(({ path }) => [path, Buffer.of(0)]);
    const input = Buffer.concat(paths);
    await this.#git(["checkout-index", "-z", "--stdin"], { workTree: folder, cwd: folder, input });
  }

  async changes(from: string, to: string): Promise<Change[]> {
    if (from === to) return [];
    return parseChanges(
      await this.#git(["diff-tree", "-r", "--raw", "--no-abbrev", "--no-renames", from, to]),
    );
  }

  /** Writes the patch from one snapshot to another as `git apply` reads it; empty when they are the same. */
  async writePatch(from: string, to: string, file: string): Promise<void> {
    const format = ["-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"];
    await this.#git(["diff-tree", "-r", ...format, "--no-color", `--output=${file}`, from, to]);
  }

  /**
   * Applies a patch to a snapshot, in no folder.
   * @returns the tree that results, or what git says against it
   */
  async apply(tree: string, file: string): Promise<{ tree: string } | { refusal: string }> {
    await this.#readTree(tree);
    return this.#applyToIndex(file);
  }

  /** Whether all that a patch changes is in a snapshot: it can be taken back from it. */
  async has(tree: string, file: string): Promise<boolean> {
    await this.#readTree(tree);
    const check = ["apply", "--cached", "--binary", "--reverse", "--check", "--", file];
    return (await this.#try(check)).ok;
  }

  /** The file, or link, at a path of a snapshot; undefined where there is none. */
  async entryAt(tree: string, path: string): Promise<TreeEntry | undefined> {
    const listed = await this.#git(["ls-tree", "-r", "-z", tree, "--", `:(top,literal)${path}`]);
    const lines = listed.split("\0").map((line) => /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line));
    const [, mode, id] = lines.find((line) => line?.[3] === path) ?? [];
    return mode === undefined || id === undefined ? undefined : { path, mode, id };
  }

  /** Keeps a content. @returns git's id of it */
  keepContent(content: Uint8Array): Promise<string> {
    return this.#git(["hash-object", "-w", "--stdin", "--no-filters"], { input: content });
  }

  /**
   * Puts files into a snapshot, in no folder. Places that git keeps to itself are left out, and what is in the way of a file goes.
   * @returns the tree that results
   */
  async putEntries(tree: string, entries: readonly TreeEntry[]): Promise<string> {
    await this.#readTree(tree);
    this.#index = undefined;
    const lines = entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`);
    await this.#git(["update-index", "-z", "--index-info"], { input: Buffer.from(lines.join("")) });
    return this.#writeTree();
  }

  /** Bytes of contents by their ids. */
  async sizes(ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const input = Buffer.from(ids.map((id) => `${id}\n`).join(""));
    const listed = await this.#git(["cat-file", "--batch-check=%(objectname) %(objectsize)"], { input });
    return new Map(
      listed.split("\n").map((line) => {
        const [id = "", size] = line.split(" ");
        return [id, Number(size)];
      }),
    );
  }

  /**
   * Brings what has happened between two snapshots into a third: both are kept where they differ from where they began.
   * @returns the tree that results, or what git says where both have changed the same lines
   */
  async merge(
    { from, to, into }: { from: string; to: string; into: string },
    file: string,
  ): Promise<{ tree: string } | { refusal: string }> {
    if (from === into) return { tree: to };
    const coming = await this.changes(from, to);
    if (coming.length === 0) return { tree: into };
    const differing = new Set((await this.changes(to, into)).map(({ path }) => path.toString("latin1")));
    const isSame = ({ path }: Change) => !differing.has(path.toString("latin1"));
    if (coming.every(isSame)) return { tree: into };
    await this.writePatch(from, to, file);
    await this.#readTree(into);
    this.#index = undefined;
    // What both have deleted is put back first: a patch deletes nothing that is not there.
    const gone = coming.filter((change) => change.newMode === NO_FILE && isSame(change));
    const lines = gone.map(({ oldMode, oldId, path }) =>
      Buffer.concat([Buffer.from(`${oldMode} ${oldId}\t`), path, Buffer.of(0)]),
    );
    await this.#git(["update-index", "-z", "--index-info"], { input: Buffer.concat(lines) });
    return this.#applyToIndex(file, "--3way");
  }

  /** One id for two snapshots. */
  async pair(base: string, files: string): Promise<string> {
    this.#prepare();
    const input = Buffer.from(`040000 tree ${base}\tbase\n040000 tree ${files}\tfiles\n`);
    return this.#git(["mktree"], { input });
  }

  /** The two snapshots that an id was made for; undefined when there is no such id here. */
  async pairOf(id: string): Promise<{ base: string; files: string } | undefined> {
    if (!this.#isThere()) return undefined;
    const names = ["base", "files"].map((name) => `${id}:${name}`);
    const [base, files] = await Promise.all(
      names.map((each) => this.#try(["rev-parse", "--quiet", "--verify", each])),
    );
    return base?.ok && files?.ok ? { base: base.stdout, files: files.stdout } : undefined;
  }

  /** Copies what an id stands for from another repository of snapshots, which stays as it is. */
  async bring(id: string, from: string): Promise<void> {
    this.#prepare();
    const packs = join(this.#gitDir, "objects", "pack");
    mkdirSync(packs, { recursive: true });
    const args = ["--git-dir", from, "pack-objects", "--quiet", "--revs", join(packs, "pack")];
    const packed = await runVcs("git", args, {
      cwd: this.#gitDir,
      signal: this.#signal,
      input: Buffer.from(`${id}\n`),
    });
    if (!packed.ok) throw gitFailed(args, packed);
  }

  async #readTree(tree: string): Promise<void> {
    if (this.#index === tree) return;
    this.#index = undefined;
    await this.#git(["read-tree", tree]);
    this.#index = tree;
  }

  async #writeTree(): Promise<string> {
    this.#index = await this.#git(["write-tree"]);
    return this.#index;
  }

  async #applyToIndex(
    file: string,
    ...options: readonly "--3way"[]
  ): Promise<{ tree: string } | { refusal: string }> {
    this.#index = undefined;
    const args = ["apply", "--cached", ...options, "--binary", "--whitespace=nowarn", "--", file];
    const applied = await this.#try(args);
    return applied.ok ? { tree: await this.#writeTree() } : { refusal: applied.stderr };
  }

  /** What git takes for a repository is there last: one that is half made is made again. */
  #prepare(): void {
    if (this.#isThere()) return;
    for (const name of ["info", "objects", "refs"]) {
      mkdirSync(join(this.#gitDir, name), { recursive: true, mode: 0o700 });
    }
    const write = (name: string, text: string) => writeFileSync(join(this.#gitDir, name), text);
    write("info/attributes", AS_THEY_ARE);
    write("info/exclude", `${LEFT_OUT_FOLDERS.join("\n")}\n`);
    write("config", REPOSITORY_SETTINGS);
    write("HEAD", "ref: refs/heads/none\n");
  }

  #isThere(): boolean {
    return existsSync(join(this.#gitDir, "HEAD"));
  }

  async #git(args: readonly string[], at: GitPlace = {}): Promise<string> {
    const result = await this.#try(args, at);
    if (!result.ok) throw gitFailed(args, result);
    return result.stdout;
  }

  #try(
    args: readonly string[],
    { workTree = this.#gitDir, cwd = this.#gitDir, input }: GitPlace = {},
  ): Promise<VcsResult> {
    const place = [`--git-dir=${this.#gitDir}`, `--work-tree=${workTree}`];
    const call = { cwd, signal: this.#signal, ...(input !== undefined && { input }) };
    return runVcs("git", [...SETTINGS, "-c", "core.bare=false", ...place, ...args], call);
  }
}

function gitFailed(args: readonly string[], { stderr }: VcsResult): ServiceError {
  const isMissing = stderr === "git is not on PATH";
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    isMissing
      ? "Sandboxes copy files and make patches with git, which is not on PATH: install git."
      : `git ${args[0] ?? ""} could not work on the files of a sandbox: ${stderr.slice(0, 2_000)}`,
    { details: { command: "git", stderr: stderr.slice(0, 2_000) }, ...(isMissing && { retryable: false }) },
  );
}
