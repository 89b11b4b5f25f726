import { existsSync } from "node:fs";
import { type ChangedFile, type NamedChange, parseChangedFiles, pathspec } from "./changed-files.js";
import type { FileState } from "./file-state.js";
import { patchesByName } from "./patch-text.js";
import { runVcs, type VcsCall, type VcsResult } from "./run-vcs.js";

/** Files of one page. */
export const FILES_OF_PAGE = 100;
/** Characters of a file's patch in one answer. */
export const PATCH_OF_PAGE = 65_536;
/** Changed lines that all patches of a page have together; a file with more has to be asked for by itself. */
const LINES_OF_PAGE = 5_000;
/** Milliseconds that a comparison may take. */
const DIFF_LIMIT_MS = 60_000;

/** A changed file with what of its patch fits into an answer. */
export interface FileDiff extends ChangedFile {
  /** From its first hunk on; null for a binary file, for one without a changed line, and where it has to be asked for by itself. */
  patch: string | null;
  /** Where the rest of the patch begins; null without a rest. */
  nextOffset: number | null;
}

export interface StatesDiff {
  files: FileDiff[];
  /** Of all files. */
  totals: { files: number; additions: number; deletions: number };
  /** Number of the first file of the next page; null without one. */
  nextFile: number | null;
}

export interface DiffRequest {
  /** Number of the first file. */
  firstFile: number;
  /** Only this file, with its patch from `offset` on. */
  path?: string | undefined;
  offset: number;
}

/** The states are not there any more, or cannot be compared: why. */
export class NotComparable extends Error {}

/** What has changed from one state of a folder to another one of it. @throws NotComparable, PROCESS_TIMEOUT */
export async function diffStates(
  { from, to }: { from: FileState; to: FileState },
  { firstFile, path, offset }: DiffRequest,
): Promise<StatesDiff> {
  const { gitFolder, folder } = to;
  if (!existsSync(gitFolder)) throw new NotComparable(`there is no ${gitFolder}`);
  const range = [from.commit, to.commit];
  const place = folder === "" ? [] : [`:(top,literal)${folder}`];
  const listed = await compare(gitFolder, ["-z", "--raw", "--numstat", ...range, "--", ...place]);
  if (listed.isCut) throw new NotComparable("too many files differ");
  const all = parseChangedFiles(listed.stdout, folder);
  const totals = {
    files: all.length,
    additions: all.reduce((sum, { additions }) => sum + (additions ?? 0), 0),
    deletions: all.reduce((sum, { deletions }) => sum + (deletions ?? 0), 0),
  };
  if (path !== undefined) {
    const chosen = all.filter((file) => file.path === path);
    return { files: await withPatches(gitFolder, range, { chosen, offset }), totals, nextFile: null };
  }
  const chosen = all.slice(firstFile, firstFile + FILES_OF_PAGE);
  const end = firstFile + chosen.length;
  const files = await withPatches(gitFolder, range, { chosen, offset: 0, mostLines: LINES_OF_PAGE });
  return { files, totals, nextFile: end < all.length ? end : null };
}

async function withPatches(
  gitFolder: string,
  range: readonly string[],
  {
    chosen,
    offset,
    mostLines = Number.POSITIVE_INFINITY,
  }: { chosen: NamedChange[]; offset: number; mostLines?: number },
): Promise<FileDiff[]> {
  let lines = 0;
  const shown = chosen.filter(({ additions, deletions, isBinary }) => {
    const own = (additions ?? 0) + (deletions ?? 0);
    if (isBinary || own === 0 || lines + own > mostLines) return false;
    lines += own;
    return true;
  });
  const patches = shown.length === 0 ? new Map() : await patchesOf(gitFolder, range, shown);
  return chosen.map((file) => {
    const { names, ...about } = file;
    const patch = shown.includes(file) ? patches.get(names[0]?.toString("latin1")) : undefined;
    if (patch === undefined) return { ...about, patch: null, nextOffset: null };
    const end = offset + PATCH_OF_PAGE;
    return { ...about, patch: patch.slice(offset, end), nextOffset: end < patch.length ? end : null };
  });
}

/** Hunks by the file's present name; those are missing that git's output has no place for. */
async function patchesOf(
  gitFolder: string,
  range: readonly string[],
  files: readonly NamedChange[],
): Promise<Map<string | undefined, string>> {
  const specs = files.flatMap(({ names }) => names.map(pathspec));
  const { stdout, isCut } = await compare(gitFolder, ["-p", "--no-color", ...range, "--", ...specs]);
  const end = isCut === true ? stdout.lastIndexOf("\ndiff --git ") : -1;
  return patchesByName(end > 0 ? stdout.slice(0, end) : stdout);
}

async function compare(gitFolder: string, args: readonly string[]): Promise<VcsResult> {
  const call: VcsCall = {
    cwd: gitFolder,
    isBinary: true,
    limitMs: DIFF_LIMIT_MS,
    variables: { GIT_NO_LAZY_FETCH: "1" },
  };
  const fixed = ["diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"];
  const compared = await runVcs(
    "git",
    [`--git-dir=${gitFolder}`, "-c", "core.quotePath=true", ...fixed, ...args],
    call,
  );
  if (!compared.ok) throw new NotComparable(compared.stderr.slice(0, 500));
  return compared;
}
