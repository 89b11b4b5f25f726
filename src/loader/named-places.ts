import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Setting } from "./module-settings.js";

/** Folders that installed packages lie in, which tools leave alone anyway. */
const PACKAGES = /[\\/]node_modules[\\/]/;
/** Stands in a tsconfig for the folder of the one that extends it. */
const CONFIG_DIR = /^\$\{configDir\}[\\/]?/;

/** As it is written. */
interface Aliases {
  baseUrl?: unknown;
  paths?: Record<string, unknown>;
}

/**
 * Absolute paths that decide what imports by name mean, besides files beside the importing ones: where `paths` and `baseUrl`
 * of a tsconfig lead, whether or not anything is there yet, and the files that a tsconfig extends. `./zod.ts` is taken
 * before an installed `zod` where there is a `baseUrl`. All settings count for all files.
 * @param names of imports that are neither relative nor of Node or this library
 * @param settings as `settingsOf` gives them
 */
export function namedPlaces(names: Iterable<string>, settings: ReadonlyMap<string, Setting>): string[] {
  const configs = [...settings].map(([path, { text }]) => ({
    folder: dirname(path),
    ...(JSON.parse(text) as Aliases),
  }));
  const folders = configs.map(({ folder }) => folder);
  const from = (bases: readonly string[], path: string) =>
    bases.map((base) => resolve(base, path.replace(CONFIG_DIR, "")));
  const roots = configs.flatMap(({ baseUrl }) => textsIn(baseUrl).flatMap((path) => from(folders, path)));
  const places = [...names].flatMap((name) => [
    ...from(roots, name),
    ...configs
      .flatMap(({ paths = {} }) => targetsOf(name, paths))
      .flatMap((target) => from([...folders, ...roots], target)),
  ]);
  const bases = [...settings].flatMap(([path, { isBase }]) => (isBase ? [path] : []));
  const all = [...places.flatMap((place) => [place, join(place, "index.ts")]), ...bases];
  return [...new Set(all)].filter((place) => !PACKAGES.test(place) && !isFolder(place));
}

function targetsOf(name: string, paths: Record<string, unknown>): string[] {
  return Object.entries(paths).flatMap(([pattern, given]) => {
    const targets = textsIn(given);
    const [start = "", end] = pattern.split("*");
    if (end === undefined) return name === pattern ? targets : [];
    if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return [];
    const part = name.slice(start.length, name.length - end.length);
    return targets.map((target) => target.replace("*", () => part));
  });
}

function textsIn(value: unknown): string[] {
  return [value].flat().filter((each) => typeof each === "string");
}

/** Of a folder only its index stands for it: everything else in there is the agent's to change. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
