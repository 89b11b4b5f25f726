import { lstatSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { makeFolder } from "./make-folder.js";

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
