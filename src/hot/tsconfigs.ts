import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

const NAME = "tsconfig.json";

/** The settings that the compiler reads for some files, and where it would find others first. */
export interface Settings {
  /** Absolute paths; those that others extend as well. */
  readonly files: ReadonlySet<string>;
  /** Absolute paths of what is not there. */
  readonly missing: ReadonlySet<string>;
}

/** By the compiler's rule: the nearest one above each file. Those of packages are theirs. */
export function watchedSettings(sources: Iterable<string>): Settings {
  const files = new Set<string>();
  const missing = new Set<string>();
  for (const source of sources) {
    if (source.includes(`${sep}node_modules${sep}`)) continue;
    const { found, passed } = nearest(dirname(source));
    if (found !== undefined) addWithBases(found, files);
    for (const path of passed) missing.add(path);
  }
  return { files, missing };
}

/** The settings for files of a folder, and where they would be found first: not above the project where there are none. */
function nearest(from: string): { found: string | undefined; passed: string[] } {
  const passed: string[] = [];
  let ownPassed = 1;
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, NAME);
    if (isFile(path)) return { found: path, passed };
    passed.push(path);
    if (isFile(join(folder, "package.json"))) ownPassed = passed.length;
    if (folder === dirname(folder)) return { found: undefined, passed: passed.slice(0, ownPassed) };
  }
}

function addWithBases(path: string, files: Set<string>): void {
  if (files.has(path)) return;
  files.add(path);
  if (!isFile(path)) return;
  const [, value = ""] = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(readFileSync(path, "utf8")) ?? [];
  for (const [, base = ""] of value.matchAll(/"(\.[^"]*)"/g)) {
    addWithBases(resolve(dirname(path), base.endsWith(".json") ? base : `${base}.json`), files);
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
