import { userFrames } from "../errors/user-frames.js";

/**
 * Places in the user's own files that an error and its causes went through,
 * innermost first, as `flow.tsx:12:3` relative to the current folder.
 */
export function sourcePlaces(error: unknown, cwd = process.cwd()): string[] {
  const places: string[] = [];
  for (let depth = 0, at: unknown = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) {
    places.unshift(...userFrames(at, cwd).map(({ file, line, column }) => `${file}:${line}:${column}`));
  }
  return places;
}
