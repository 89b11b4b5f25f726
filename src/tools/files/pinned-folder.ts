import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, statfs } from "node:fs/promises";
import { join } from "node:path";
import {
  errnoOf,
  leadsOut,
  pathEscape,
  pathInvalid,
  type SandboxPath,
  type SandboxRoot,
} from "./sandbox-path.js";

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Type numbers of Linux file systems whose files are windows into the kernel. */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
]);

/**
 * A folder inside the root that stays the same folder whatever is renamed or
 * linked meanwhile. Entries are reached through {@link entry}.
 */
export class PinnedFolder {
  readonly #root: SandboxRoot;
  /** Prefix that leads to the folder: its descriptor's, or its real path. */
  readonly #prefix: string;
  readonly #handle: FileHandle;
  readonly #shown: string;

  constructor(at: { root: SandboxRoot; prefix: string; handle: FileHandle; shown: string }) {
    this.#root = at.root;
    this.#prefix = at.prefix;
    this.#handle = at.handle;
    this.#shown = at.shown;
  }

  /** Path of an entry, good for one system call that does not follow links. */
  entry(name: string): string {
    return name === "" ? this.#prefix : join(this.#prefix, name);
  }

  /** @throws TOOL_PATH_ESCAPE for a link, TOOL_PATH_INVALID for what is no folder */
  async folder(name: string, options: { create?: boolean } = {}): Promise<PinnedFolder> {
    const path = this.entry(name);
    if (options.create === true) await createFolder(path, this.#shown);
    return openFolder({ root: this.#root, path, shown: this.#shown });
  }

  /**
   * Confirms that the folder, and the open `file` in it if given, still lie inside
   * the root. On systems without descriptor paths this is what makes the use safe,
   * so nothing read or written may count before it has passed.
   */
  async verify(file?: { name: string; handle: FileHandle }): Promise<void> {
    const root = this.#root;
    if (root.pinning === "descriptor") {
      const real = await readlink(`/proc/self/fd/${this.#handle.fd}`);
      if (leadsOut(root, real)) throw pathEscape(this.#shown);
      return;
    }
    const real = await realpath(this.#prefix).catch(() => "");
    if (real !== this.#prefix) throw pathEscape(this.#shown);
    if (file === undefined) return;
    const [opened, listed] = await Promise.all([
      file.handle.stat(),
      lstat(this.entry(file.name)).catch(() => undefined),
    ]);
    if (opened.dev !== listed?.dev || opened.ino !== listed.ino) throw pathEscape(this.#shown);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/**
 * Pins the folder that holds the target of `path`.
 * @throws TOOL_PATH_ESCAPE, TOOL_PATH_INVALID
 */
export async function pinParent(
  path: SandboxPath,
  options: { create?: boolean } = {},
): Promise<PinnedFolder> {
  const { root, shown } = path;
  let folder = await openFolder({ root, path: root.realPath, shown });
  try {
    for (const name of path.folders) {
      const child = await folder.folder(name, options);
      await folder.close();
      folder = child;
    }
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** @throws TOOL_PATH_ESCAPE for links, TOOL_PATH_INVALID for /proc, /sys and what is no folder */
async function openFolder(at: { root: SandboxRoot; path: string; shown: string }): Promise<PinnedFolder> {
  const { root, path, shown } = at;
  const handle = await open(path, FOLDER_FLAGS).catch(async (error) => {
    const entry = await lstat(path).catch(() => undefined);
    if (entry?.isSymbolicLink()) throw pathEscape(shown);
    throw pathInvalid(shown, `cannot be reached (${errnoOf(error)})`);
  });
  const prefix = root.pinning === "descriptor" ? `/proc/self/fd/${handle.fd}` : path;
  const folder = new PinnedFolder({ root, prefix, handle, shown });
  try {
    await folder.verify();
    if (KERNEL_FILE_SYSTEMS.has((await statfs(prefix)).type)) {
      throw pathInvalid(shown, "belongs to the kernel, not to the workspace");
    }
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function createFolder(path: string, shown: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return;
    throw pathInvalid(shown, `cannot be created (${errnoOf(error)})`);
  }
}
