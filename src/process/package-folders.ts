import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "./inside.js";
import { packageFolder } from "./installation.js";
import { realPath } from "./workspace-state.js";

/** The parts of an installation that run, where all of it cannot be kept: who works on the library itself. */
const RUNNING_PARTS = ["dist", "package.json"];

/**
 * Folders of installed code that a command in `root` is not to change: those that the given modules may import
 * from, and the one that this program itself was started from. The next command of a person runs them unconfined.
 * @param modules absolute paths without links, as all others here
 */
export function packageFolders(root: string, modules: readonly string[]): string[] {
  const above = new Set([root]);
  for (const module of modules) {
    for (let folder = dirname(module); isInside(folder, root); folder = dirname(folder)) above.add(folder);
  }
  const folders = [...above].map((folder) => join(folder, "node_modules")).filter((path) => existsSync(path));
  const own = realPath(packageFolder());
  const isAround = own === root || isInside(root, own);
  const running = isAround ? RUNNING_PARTS.map((name) => join(own, name)) : [own];
  return [...folders, ...running.filter((path) => isInside(path, root) && existsSync(path))];
}
