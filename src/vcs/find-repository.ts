import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ServiceError } from "../errors/service-error.js";

export interface Repository {
  /** What keeps its history. */
  kind: "git" | "jj";
  root: string;
}

/**
 * The repository around a folder: the nearest parent with `.jj` or `.git`; jj
 * first where both are, as in a colocated repository.
 * @throws VCS_NOT_FOUND
 */
export function findRepository(folder: string): Repository {
  const found = repositoryAround(folder);
  if (found !== undefined) return found;
  throw new ServiceError("VCS_NOT_FOUND", `${resolve(folder)} is not inside a git or jj repository.`);
}

/** As findRepository; undefined without one. */
export function repositoryAround(folder: string): Repository | undefined {
  for (let root = resolve(folder); ; root = dirname(root)) {
    if (existsSync(join(root, ".jj"))) return { kind: "jj", root };
    if (existsSync(join(root, ".git"))) return { kind: "git", root };
    if (dirname(root) === root) return undefined;
  }
}
