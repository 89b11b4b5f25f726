import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import type { LoadedFile } from "../model/loaded-file.js";
import { sha256Hex } from "../util/hash.js";
import type { Setting } from "./module-settings.js";

/** The parts a bundle was made of. */
export interface BundleParts {
  /** Absolute path of the workflow file. */
  entry: string;
  /** Text of each of the user's files without comments, types and formatting, by its real path. */
  texts: ReadonlyMap<string, string>;
  /** Folders of the installed packages that stay outside of the bundle. */
  packages: Iterable<string>;
  /** Of its files, as `settingsOf` gives them. */
  settings: ReadonlyMap<string, Setting>;
}

/**
 * The record of the files that a run's code came from. The workflow's file itself is not in it: a resume compares
 * that one task by task.
 */
export function loadedFiles({ entry, texts, packages, settings }: BundleParts): LoadedFile[] {
  const own = realpathSync(entry);
  const home = dirname(own);
  const shown = (path: string) => relative(home, path).split(sep).join("/");
  const files: LoadedFile[] = [
    ...[...texts]
      .filter(([path]) => path !== own)
      .map(([path, text]) => ({ kind: "code" as const, path: shown(path), hash: sha256Hex(text) })),
    ...[...settings].map(([path, { text }]) => ({
      kind: "settings" as const,
      path: shown(path),
      hash: sha256Hex(text),
    })),
    ...[...new Set(packages)].map((path) => ({ kind: "package" as const, path: shown(path), hash: null })),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
