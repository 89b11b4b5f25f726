import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Store } from "./contract.js";
import { MEMORY_PATH } from "./sqlite/options.js";

/** The path of a file without symbolic links, also of one that is yet to be made in a folder that is there. */
export function realPathOf(path: string): string {
  for (const [folder, name] of [
    [path, ""],
    [dirname(path), basename(path)],
  ] as const) {
    try {
      return join(realpathSync(folder), name);
    } catch {
      // Not there: its folder may be.
    }
  }
  return resolve(path);
}

/** The same for all stores of one file, by whichever path; what has no file is its own. */
export function fileIdentity(store: Store): string | Store {
  const { path } = store;
  return path === undefined || path === MEMORY_PATH ? store : realPathOf(path);
}
