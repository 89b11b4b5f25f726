import { lstatSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Files and folders, mostly outside a root, that git works with when it is called inside of it. */
export interface GitFolders {
  /** The repository of a worktree: only what is named here of it is there, and what git adds beside it is gone after the command. */
  readonly replaced: readonly string[];
  /** The folders that commits of a worktree are written to. */
  readonly writable: readonly string[];
  /** Other parts of the repository, and files of the worktree that say where git finds settings and hooks. */
  readonly frozen: readonly string[];
  /** Working trees around the root: programs look for packages and settings there. */
  readonly readable: readonly string[];
}

/**
 * Of a repository, what its worktrees write to. By anything else, such as a `commondir`, a `config.worktree` or the
 * settings of a submodule, which need not be there yet, the next git of a person would run programs.
 */
const WRITTEN = ["objects", "refs", "logs", "reftable", "rr-cache", "lfs"];
/** Of what a repository keeps of one worktree, the files that lead to settings. */
const LEADING = ["commondir", "gitdir", "config.worktree"];
/** Were it made by a command, what it takes up would be gone with it: it cannot replace one that is there. */
const PACKED_REFS = "packed-refs";

/** The outer folders that a root needs which is a worktree, or lies in a repository. */
export function gitFoldersAround(root: string): GitFolders {
  const own = administrationOf(root);
  const readable = [enclosingRepository(root)].filter((folder) => folder !== undefined);
  if (own === undefined) return { replaced: [], writable: [], frozen: [], readable };
  const common = dirname(dirname(own));
  // Git takes both for nothing where they are empty.
  makeEmpty(join(own, "config.worktree"));
  makeEmpty(join(common, PACKED_REFS));
  const names = readdirSync(common);
  const written = WRITTEN.filter((name) => isFolder(join(common, name)));
  const places = (parts: readonly string[]) => parts.map((name) => join(common, name));
  const logs = logsOfOthers(common, own);
  return {
    replaced: [common],
    writable: [...places(written), ...logs.folders, own],
    frozen: [
      ...places(names.filter((name) => !written.includes(name))),
      ...logs.files,
      ...[join(root, ".git"), ...LEADING.map((name) => join(own, name))],
    ],
    readable: basename(common) === ".git" ? [...readable, dirname(common)] : readable,
  };
}

/**
 * Logs that the next commit or checkout of a person in another worktree is added to: in the place of one, a link would
 * have git write into the file that it leads to. With the folders around them, which are not to be moved away.
 */
function logsOfOthers(common: string, own: string): { files: string[]; folders: string[] } {
  const worktrees = join(common, "worktrees");
  const others = readdirSync(worktrees).map((name) => join(worktrees, name));
  const refs = [common, ...others.filter((folder) => folder !== own)].flatMap(
    (folder) => checkedOut(folder) ?? [],
  );
  const logs = join(common, "logs");
  const files = ["HEAD", ...refs].map((ref) => join(logs, ref)).filter((path) => isFile(path));
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); folder !== logs; folder = dirname(folder)) folders.add(folder);
  }
  return { files, folders: [...folders] };
}

/** The branch of a worktree, such as `refs/heads/main`; undefined for none. */
function checkedOut(administration: string): string | undefined {
  try {
    const [, ref] = /^ref: (refs\/[^\s]+)$/m.exec(readFileSync(join(administration, "HEAD"), "utf8")) ?? [];
    return ref?.split("/").includes("..") === true ? undefined : ref;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function makeEmpty(path: string): void {
  try {
    writeFileSync(path, "", { flag: "wx" });
  } catch {
    // It is there, or this user cannot make it: then a command cannot either.
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * The folder in which its repository keeps what belongs to a worktree. The `.git` file lies where an agent can write, so it is
 * believed only when the repository, which lies where it cannot, names this worktree as its own.
 */
function administrationOf(root: string): string | undefined {
  try {
    const link = join(root, ".git");
    if (!lstatSync(link).isFile()) return undefined;
    const target = /^gitdir: (.+)$/m.exec(readFileSync(link, "utf8"))?.[1];
    if (target === undefined) return undefined;
    const own = realpathSync(resolve(root, target));
    const back = readFileSync(join(own, "gitdir"), "utf8").trim();
    if (basename(dirname(own)) !== "worktrees" || realpathSync(back) !== realpathSync(link)) return undefined;
    return own;
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
