import { PACKAGE_URL } from "./package-url.js";

/** A place in the user's own code. */
// A type alias, not an interface: event payloads need its implicit index signature.
export type UserFrame = {
  /** Relative to the root of the run, with `/` between its parts. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Absent where the function has no name. */
  function?: string;
};

/** Frames of one stack; the ones further out say how the task was called. */
const MOST_FRAMES = 20;
const LONGEST_NAME = 120;
const LONGEST_FILE = 280;

/** Folders of the library's own code, built or not. Its examples are a user's code like any other. */
const LIBRARY = ["dist", "src", "jsx-runtime"].map((name) => `${plainPath(PACKAGE_URL)}/${name}/`);
/** The folders that `src` lies in, built first. */
const LIBRARY_ROOTS = ["dist/", ""].map((name) => `${plainPath(PACKAGE_URL)}/${name}`);

/** The callers of the user's tasks and components: frames further out are of the program that started the run. */
const CALLERS = /^src\/(?:engine\/(?:turn\/|run-loop|attempt\/stages)|renderer\/)/;

/**
 * The frames of a stack that lie in the user's own files, innermost first: none
 * of packages, of Node or of this library. Places are those that V8 tells, so
 * with source maps switched on they are in the source.
 */
export function userFrames(error: Error, root: string): UserFrame[] {
  const { stack, message } = error;
  // Formatted by the user's own code it can be anything.
  if (typeof stack !== "string") return [];
  const head = stack.indexOf(message);
  const lines = stack.slice(head < 0 ? 0 : head + message.length).split("\n");
  const frames: UserFrame[] = [];
  for (const line of lines) {
    const place = placeOf(line);
    if (place === undefined) continue;
    if (isCaller(place.file)) break;
    if (isOwn(place.file)) frames.push({ ...place, file: shortFile(place.file, root) });
    if (frames.length === MOST_FRAMES) break;
  }
  return frames;
}

/** One line for each frame, as stacks have them: `at name (file:line:column)`. */
export function framesText(frames: readonly UserFrame[]): string {
  return frames
    .map(({ file, line, column, function: name }) => {
      const place = `${file}:${line}:${column}`;
      return name === undefined ? `at ${place}` : `at ${name} (${place})`;
    })
    .join("\n");
}

const NAMED = /^\s*at (?:async )?(.+?) \((.+):(\d+):(\d+)\)$/;
const UNNAMED = /^\s*at (?:async )?(.+):(\d+):(\d+)$/;

function placeOf(text: string): UserFrame | undefined {
  const named = NAMED.exec(text);
  const [location = "", line, column] = named?.slice(2) ?? UNNAMED.exec(text)?.slice(1) ?? [];
  const file = pathOf(location);
  if (file === undefined) return undefined;
  const name = nameOf(named?.[1] ?? "");
  return { file, line: Number(line), column: Number(column), ...(name !== undefined && { function: name }) };
}

/** Undefined for code that is in no file, as Node's own. */
function pathOf(location: string): string | undefined {
  const isFile = location.startsWith("file:") || !/^[a-z][a-z\d+.-]+:/i.test(location);
  if (!isFile || location === "" || location.includes("<anonymous>")) return undefined;
  try {
    return plainPath(location);
  } catch {
    // No URL of a file: the stack has been written by hand.
    return undefined;
  }
}

/** A path or file URL as a path with `/` between its parts, on every system. */
function plainPath(location: string): string {
  const path = location.startsWith("file:") ? decodeURIComponent(new URL(location).pathname) : location;
  return path.replaceAll("\\", "/").replace(/^\/(?=[A-Za-z]:\/)/, "");
}

function isCaller(path: string): boolean {
  const root = LIBRARY_ROOTS.find((folder) => path.startsWith(folder));
  return root !== undefined && CALLERS.test(path.slice(root.length));
}

function isOwn(path: string): boolean {
  return !LIBRARY.some((folder) => path.startsWith(folder)) && !/(?:^|\/)node_modules\//.test(path);
}

/** The way to a file from the root. A frame that was stored before is relative already. */
function shortFile(path: string, root: string): string {
  if (!/^(?:\/|[A-Za-z]:\/)/.test(path)) return path.slice(-LONGEST_FILE);
  const to = path.split("/");
  const from = plainPath(root).replace(/\/$/, "").split("/");
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const up = from.slice(common).map(() => "..");
  return [...up, ...to.slice(common)].join("/").slice(-LONGEST_FILE);
}

/** The compiler calls a function between two tags `children`; its author does not. */
function nameOf(text: string): string | undefined {
  const name = text.replace(/^Object\./, "").slice(0, LONGEST_NAME);
  return ["", "<anonymous>", "children"].includes(name) ? undefined : name;
}
