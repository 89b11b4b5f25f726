import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BundleReads } from "../loader/bundle-workflow.js";
import { compilerSettings } from "../loader/module-settings.js";

/** The clock of a file system may stand still for as long. */
const CLOCK_STEP_MS = 20;

/** Files that a workflow is made of, and those that it would be made of if they were there. */
export interface WatchedFiles {
  /** Absolute. */
  readonly files: ReadonlySet<string>;
  /** Paths, without their endings, of what imports were looked for under. */
  readonly stems: ReadonlySet<string>;
}

/** @param known files of the code that runs: they count while newer code cannot be read to its end */
export function watchedFiles(
  { files, missing, isComplete }: BundleReads,
  known: Iterable<string>,
): WatchedFiles {
  const stems = missing.flatMap(({ specifier, from }) => {
    const folder = dirname(from);
    if (!/^\.{0,2}\//.test(specifier)) return packageFolders(folder, specifier);
    const path = resolve(folder, specifier);
    return [path, stemOf(path), join(path, "index")];
  });
  const sources = [...(isComplete ? [] : known), ...files];
  const settings = compilerSettings(sources);
  return {
    files: new Set([...sources, ...settings.found.keys()]),
    stems: new Set([...stems, ...[...settings.missing].map(stemOf)]),
  };
}

export function isWatched(path: string, { files, stems }: WatchedFiles): boolean {
  return files.has(path) || stems.has(path) || stems.has(stemOf(path));
}

/** Folders whose changes show every change of these files: their own, or the nearest that exist with the way there. */
export function foldersOf({ files, stems }: WatchedFiles): { existing: Set<string>; missing: Set<string> } {
  const existing = new Set<string>();
  const missing = new Set<string>();
  for (const path of [...files, ...stems]) {
    let folder = dirname(path);
    for (
      ;
      !existing.has(folder) && !isFolder(folder) && folder !== dirname(folder);
      folder = dirname(folder)
    ) {
      missing.add(folder);
    }
    existing.add(folder);
  }
  return { existing, missing };
}

/** Tells one state of each file from another without reading it. */
export type Stamps = ReadonlyMap<string, string>;

export function stampsOf({ files }: WatchedFiles): Stamps {
  return new Map([...files].map((path) => [path, stampOf(path)]));
}

/**
 * Whether one of the files may have been changed since.
 * @param since milliseconds since the epoch
 */
export function anyChangedAfter(since: number, files: readonly string[]): boolean {
  return files.some(
    (path) => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) > since - CLOCK_STEP_MS,
  );
}

/** Files that are not as they were. */
export function changedSince(stamps: Stamps): string[] {
  return [...stamps].flatMap(([path, stamp]) => (stampOf(path) === stamp ? [] : path));
}

/** Whether the file is as it was: an event about it has come late then. */
export function isUnchanged(path: string, stamps: Stamps): boolean {
  return stamps.get(path) === stampOf(path);
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "-" : `${stat.ino} ${stat.ctimeMs} ${stat.size}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function stemOf(path: string): string {
  return path.replace(/\.[^./\\]+$/, "");
}

/** Where an installation would put a package: up to the project's own folder. */
function packageFolders(from: string, specifier: string): string[] {
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const folders: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    folders.push(join(folder, "node_modules", name));
    if (existsSync(join(folder, "package.json")) || folder === dirname(folder)) return folders;
  }
}
