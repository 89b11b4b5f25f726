import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { isInside } from "../inside.js";

/**
 * The folders between `top` and what is there of `paths`, the outermost first. Each is mounted on itself, because a
 * folder that is a mount keeps its name: otherwise a command would rename it and put another in its place.
 */
export function foldersAbove(paths: readonly string[], top: string): string[] {
  const folders = new Set<string>();
  for (const path of paths.filter(isThere)) {
    for (let folder = dirname(path); isInside(folder, top); folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].sort((a, b) => a.length - b.length);
}

/** Whether there is anything, were it a link that leads nowhere. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
