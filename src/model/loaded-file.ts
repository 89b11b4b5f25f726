/** One of the things that a loader made a workflow's code of. */
export interface LoadedFile {
  /**
   * `code`: a file that the workflow's file imports, directly or not, text and data included. `settings`: a
   * tsconfig.json, jsconfig.json or package.json that decided what imports mean. `package`: an installed package.
   */
  kind: "code" | "settings" | "package";
  /** Relative to the folder of the workflow's file, symbolic links resolved, with slashes. */
  path: string;
  /** Of code without comments, types and formatting, of what settings say about imports; null for a package, which is known by its place. */
  hash: string | null;
}

/** The change of such a file. */
export interface FileChange {
  path: string;
  change: "added" | "removed" | "changed";
}

/**
 * The differences between the files that a run's code was loaded from and those it would be loaded from now, by path. None where
 * either is not known: a program has its code from elsewhere.
 */
export function compareLoaded(
  before: readonly LoadedFile[] | null,
  now: readonly LoadedFile[] | null,
): FileChange[] {
  if (before === null || now === null) return [];
  const known = new Map(before.map((file) => [keyOf(file), file]));
  const changes: FileChange[] = [];
  for (const file of now) {
    const old = known.get(keyOf(file));
    known.delete(keyOf(file));
    if (old === undefined) changes.push({ path: file.path, change: "added" });
    else if (old.hash !== file.hash) changes.push({ path: file.path, change: "changed" });
  }
  for (const { path } of known.values()) changes.push({ path, change: "removed" });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function keyOf({ kind, path }: LoadedFile): string {
  return `${kind} ${path}`;
}
