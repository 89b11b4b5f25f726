import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type CodePlace, codeFrame } from "../errors/code-frame.js";
import { ServiceError } from "../errors/service-error.js";
import { userFrames } from "../errors/user-frames.js";

/** A place in a file of the user's. */
export interface SourcePlace extends CodePlace {
  /** Relative to the current folder, or absolute. */
  file: string;
}

/**
 * Places in the user's own files that an error and its causes went through,
 * innermost first. Empty for what has no stack of the user's.
 */
export function sourcePlaces(error: unknown, cwd = process.cwd()): SourcePlace[] {
  const places: SourcePlace[] = [];
  for (let depth = 0, at: unknown = error; at instanceof Error && depth < 8; depth += 1, at = at.cause) {
    places.unshift(...userFrames(at, cwd));
  }
  return places;
}

/** The element that an error of a frame is about, which has no stack of the user's. */
export function elementPlace(error: unknown): SourcePlace | undefined {
  if (!ServiceError.is(error)) return undefined;
  const { fileName, lineNumber } = error.details ?? {};
  if (typeof fileName !== "string" || typeof lineNumber !== "number") return undefined;
  return { file: fileName, line: lineNumber };
}

/** `flow.tsx:12:3`. */
export function placeText({ file, line, column }: SourcePlace): string {
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}

/** The lines around a place as the file has them now; empty when it cannot be read. */
export function placeFrame(place: SourcePlace, cwd: string): string {
  try {
    return codeFrame(readFileSync(resolve(cwd, place.file), "utf8"), place);
  } catch {
    return "";
  }
}

/** A frame below a sentence; the rest begins on a line of its own. The display indents it. */
export function frameBelow(frame: string): string {
  return frame === "" ? "" : `\n${frame}\n`;
}
