import { mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { ServiceError } from "../../errors/service-error.js";

/**
 * Makes a folder with those above it, one at a time: Node's own recursion never ends where a file system
 * refuses a folder as if one above it were missing.
 * @throws PROJECT_NOT_WRITABLE
 */
export function makeFolder(path: string): void {
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
