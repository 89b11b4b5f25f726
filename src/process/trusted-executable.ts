import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where systems keep the programs that confine others. PATH has no say: an agent may have a folder on it. */
const SYSTEM_FOLDERS = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
];

/** Write permission of group and others. */
const WRITABLE_BY_OTHERS = 0o022;
const EXECUTABLE = 0o111;

/**
 * Programs of the system that are safe to confine an agent with: they, and all folders on the way to
 * them, belong to root and only root can write them.
 */
export class TrustedExecutables {
  readonly #folders: readonly string[];
  readonly #found = new Map<string, string | undefined>();

  constructor(folders: readonly string[] = SYSTEM_FOLDERS) {
    this.#folders = folders;
  }

  /** The real path of a program; undefined when there is none to trust. Looked up once. */
  find(name: string): string | undefined {
    if (!this.#found.has(name)) this.#found.set(name, this.#look(name));
    return this.#found.get(name);
  }

  #look(name: string): string | undefined {
    for (const folder of this.#folders) {
      const path = trustedFile(join(folder, name));
      if (path !== undefined) return path;
    }
    return undefined;
  }
}

/** Those of this host, resolved once for the whole process. */
export const hostExecutables = new TrustedExecutables();

function trustedFile(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const file = statSync(real);
    const isProgram = file.isFile() && (file.mode & EXECUTABLE) !== 0;
    return isProgram && isRootsOwn(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function isRootsOwn(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  if (uid !== 0 || (mode & WRITABLE_BY_OTHERS) !== 0) return false;
  return dirname(path) === path || isRootsOwn(dirname(path));
}
