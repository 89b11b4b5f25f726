import { lstatSync, mkdirSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ServiceError } from "../../errors/service-error.js";

export interface NewProject {
  /** Absolute path. */
  folder: string;
  /** By name, `/` between its parts. */
  files: ReadonlyMap<string, Buffer>;
}

/** Names of files that are there already. */
export function takenNames({ folder, files }: NewProject): string[] {
  return [...files.keys()].filter((name) => isTaken(join(folder, name))).toSorted();
}

/** A link that leads nowhere is in the way as well. */
function isTaken(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts another text into a file that is there, all of it or none.
 * @throws PROJECT_NOT_WRITABLE
 */
export function rewriteFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  try {
    writeFileSync(fresh, text, { flag: "wx", mode: statSync(path).mode });
    renameSync(fresh, path);
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

/**
 * Writes the files of a project. A file that is there is replaced only when `replaced` names it.
 * @throws PROJECT_NOT_WRITABLE
 */
export function writeProject({ folder, files }: NewProject, replaced: readonly string[]): void {
  for (const [name, content] of files) {
    const path = join(folder, name);
    makeFolder(dirname(path));
    try {
      // Not written through: a link may lead out of the project.
      if (replaced.includes(name)) rmSync(path);
      writeFileSync(path, content, { flag: "wx" });
    } catch (cause) {
      throw notWritable(path, cause);
    }
  }
}

function notWritable(path: string, cause: unknown): ServiceError {
  return new ServiceError("PROJECT_NOT_WRITABLE", `${path} cannot be written.`, { details: { path }, cause });
}

/**
 * Makes a folder with those above it, one at a time: Node's own recursion never ends where a file system
 * refuses a folder as if one above it were missing.
 * @throws PROJECT_NOT_WRITABLE
 */
function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const found = statsOf(folder, path);
    if (found?.isDirectory() === true) break;
    if (found !== undefined) throw unmakeable(path, `${folder} is a file`);
    missing.unshift(folder);
    if (dirname(folder) === folder) break;
  }
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (cause) {
      // Made by another process meanwhile.
      if ((cause as NodeJS.ErrnoException).code === "EEXIST" && statSync(folder, QUIET)?.isDirectory())
        continue;
      throw unmakeable(path, `${folder} is refused`, cause);
    }
  }
}

/** Undefined where there is nothing, also below a file. */
function statsOf(folder: string, path: string): Stats | undefined {
  try {
    return statSync(folder, QUIET);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw unmakeable(path, `${folder} is refused`, cause);
  }
}

const QUIET = { throwIfNoEntry: false } as const;

function unmakeable(path: string, why: string, cause?: unknown): ServiceError {
  return new ServiceError("PROJECT_NOT_WRITABLE", `The folder ${path} cannot be made: ${why}.`, {
    details: { path },
    ...(cause !== undefined && { cause }),
  });
}
