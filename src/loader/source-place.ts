import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../process/installation.js";

/** Folders of the library's own code, built or not. Its examples are a user's code like any other. */
const LIBRARY = ["dist", "src", "jsx-runtime"].map((name) => `${join(packageFolder(), name)}${sep}`);

/**
 * Places in the user's own files that an error and its causes went through,
 * innermost first, as `flow.tsx:12:3` relative to the current folder.
 */
export function sourcePlaces(error: unknown, cwd = process.cwd()): string[] {
  const places: string[] = [];
  for (let depth = 0, at: unknown = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) {
    const own = (at.stack ?? "").split("\n").flatMap((line) => placeOf(line, cwd));
    places.unshift(...own);
  }
  return places;
}

function placeOf(stackLine: string, cwd: string): string[] {
  const match =
    /^\s+at (?:.*\()?((?:file:\/\/)?\/[^()]+|(?:file:\/\/\/)?[A-Za-z]:[^()]+):(\d+):(\d+)\)?$/.exec(
      stackLine,
    );
  if (match === null) return [];
  const [, location = "", line, column] = match;
  const file = location.startsWith("file:") ? fileURLToPath(location) : location;
  const isOwn =
    !LIBRARY.some((folder) => file.startsWith(folder)) && !file.includes(`${sep}node_modules${sep}`);
  return isOwn ? [`${relative(cwd, file) || file}:${line}:${column}`] : [];
}
