import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join, relative } from "node:path";
import { newOwnerId, ownerLiveness } from "../process/owner.js";
import { type FileState, MOST_BYTES, MOST_FILES, type RecordRequest } from "./file-state.js";
import { commonFolder } from "./git-repository.js";
import { mayHaveRef } from "./state-refs.js";
import { NotRecorded, WorkingTree } from "./working-tree.js";

/** Folder of git's own that indexes lie in while states are recorded. */
const OWN_FOLDER = "treadle";

/** The states of one run that one process records: each is reachable from the next. */
export interface StateChain {
  readonly ref: string;
  last: { commit: string; tree: string; head: string | null } | null;
}

/**
 * Records the files of a folder in a git working tree as a commit that a private ref keeps. HEAD, the index, branches
 * and files stay as they are; nothing of the repository is executed.
 * @throws NotRecorded, PROCESS_TIMEOUT, the signal's reason
 */
export async function recordGit(root: string, chain: StateChain, request: RecordRequest): Promise<FileState> {
  const tree = await WorkingTree.open(root, request.signal);
  const index = makeIndex(tree);
  try {
    const folder = relative(tree.root, request.folder);
    const { names, leftOut } = await changedFiles(tree, { index, folder, hidden: request.hidden });
    if (names.length > 0) {
      const input = Buffer.concat(names.flatMap((name) => [name, Buffer.of(0)]));
      const update = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
      await tree.must(update, { index, input });
    }
    const id = await tree.must(["write-tree", "--missing-ok"], { index });
    const head = await tree.head();
    const commit = await keep(tree, chain, { tree: id, head, runId: request.runId });
    return { vcs: "git", root: tree.root, folder, gitFolder: commonFolder(tree.own), commit, head, leftOut };
  } finally {
    for (const path of [index, `${index}.lock`]) rmSync(path, { force: true });
  }
}

/** A copy of the index: git compares files with what it knows of them, and writes there. */
function makeIndex({ own }: WorkingTree): string {
  const folder = join(own, OWN_FOLDER);
  mkdirSync(folder, { recursive: true });
  if (!lstatSync(folder).isDirectory()) throw new NotRecorded(`${folder} is a link`);
  removeLeft(folder);
  const index = join(folder, encodeURIComponent(newOwnerId()));
  const original = statSync(join(own, "index"), { throwIfNoEntry: false });
  if (original === undefined) return index;
  copyFileSync(join(own, "index"), index);
  // Files that are as young as the index are read by git, however they look: by the time of its copy none would be.
  utimesSync(index, original.atime, new Date(Math.floor(original.mtimeMs / 1_000) * 1_000));
  return index;
}

/** Indexes of processes that were killed. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = decodeURIComponent(name.replace(/\.lock$/, ""));
    if (ownerLiveness(owner) === "dead") rmSync(join(folder, name), { force: true });
  }
}

interface ChangedFiles {
  names: Buffer[];
  leftOut: number;
}

/** Of a folder, the files that are not as the index has them. @throws NotRecorded where they are too many */
async function changedFiles(
  tree: WorkingTree,
  { index, folder, hidden }: { index: string; folder: string; hidden: readonly string[] },
): Promise<ChangedFiles> {
  const list = ["ls-files", "-z", "--modified", "--others", "--exclude-standard", "--full-name"];
  const place = folder === "" ? [] : ["--", `:(top,literal)${folder}`];
  const listed = await tree.must([...list, ...place], { index, isBinary: true });
  const root = Buffer.from(`${tree.root}/`);
  const names: Buffer[] = [];
  let [bytes, leftOut] = [0, 0];
  for (const text of new Set(listed.split("\0"))) {
    if (text === "") continue;
    const name = Buffer.from(text, "latin1");
    const path = Buffer.concat([root, name]);
    if (isHidden(path.toString(), hidden)) continue;
    const size = text.endsWith("/") ? undefined : sizeOf(path);
    if (size === undefined) {
      leftOut += 1;
      continue;
    }
    names.push(name);
    bytes += size;
    if (names.length > MOST_FILES)
      throw new NotRecorded(`more than ${MOST_FILES} files differ from the index`);
    if (bytes > MOST_BYTES)
      throw new NotRecorded(`files that differ from the index have more than ${MOST_BYTES} bytes`);
  }
  return { names, leftOut };
}

function isHidden(path: string, hidden: readonly string[]): boolean {
  return hidden.some((each) => path === each || path.startsWith(`${each}/`));
}

/** Of a file that is gone 0: it is taken out. Undefined for one that cannot be read. */
function sizeOf(path: Buffer): number | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 0;
    if (found.isFile()) accessSync(path, constants.R_OK);
    else if (!found.isSymbolicLink() && !found.isDirectory()) return undefined;
    return found.isFile() ? found.size : 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? 0 : undefined;
  }
}

/** The commit of a tree, reachable from the chain's ref. One that is the same as the last is not made again. */
async function keep(
  tree: WorkingTree,
  chain: StateChain,
  state: { tree: string; head: string | null; runId: string },
): Promise<string> {
  // Where the run was deleted, and has come again under its name, what kept its states is gone.
  const last = mayHaveRef(commonFolder(tree.own), chain.ref) ? chain.last : null;
  if (last !== null && last.tree === state.tree && last.head === state.head) return last.commit;
  const parents = [state.head, last?.commit].flatMap((commit) => (commit ? ["-p", commit] : []));
  const message = `Files of run ${state.runId}`;
  const commit = await tree.must(["commit-tree", state.tree, ...parents, "-m", message]);
  await tree.must(["update-ref", chain.ref, commit]);
  chain.last = { commit, tree: state.tree, head: state.head };
  return commit;
}
