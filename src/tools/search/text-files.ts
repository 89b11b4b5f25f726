import { readdir } from "node:fs/promises";
import { type PinnedFolder, pinParent } from "../files/pinned-folder.js";
import { looksBinary, openRegularFile, readAtMost } from "../files/regular-file.js";
import type { SandboxPath } from "../files/sandbox-path.js";
import { ServiceError } from "../../errors/service-error.js";

/** Folders that hold other people's files; searched only when the path leads into them. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** Files above this are named, not searched. */
const MAX_SEARCHED_BYTES = 32 * 1_024 * 1_024;

interface Search {
  signal: AbortSignal;
  /** Whether an entry is passed over; its path is relative to the root. */
  isHidden(path: string): boolean;
  /** Whether a file below the target is read; its path is relative to the root. @default each is */
  isWanted?(path: string): boolean;
}

export type FoundFile = { path: string; text: string } | { path: string; tooLarge: number };

/**
 * The text files under `target` in order of their names, depth first. Links are
 * not followed, binary files and files that vanish or cannot be read are left out.
 */
export async function* textFiles(target: SandboxPath, search: Search): AsyncGenerator<FoundFile> {
  const parent = await pinParent(target);
  try {
    const parentPath = target.folders.join("/");
    if (target.name === "") {
      yield* filesIn(parent, "", search);
      return;
    }
    const path = [parentPath, target.name].filter(Boolean).join("/");
    let folder: PinnedFolder | undefined;
    try {
      folder = await parent.folder(target.name);
    } catch (error) {
      if (!ServiceError.is(error, "TOOL_PATH_INVALID")) throw error;
    }
    if (folder === undefined) {
      yield* await fileAt(parent, target.name, path);
      return;
    }
    try {
      yield* filesIn(folder, `${path}/`, search);
    } finally {
      await folder.close();
    }
  } finally {
    await parent.close();
  }
}

async function* filesIn(folder: PinnedFolder, prefix: string, search: Search): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder.entry(""), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    search.signal.throwIfAborted();
    if (search.isHidden(prefix + entry.name)) continue;
    if (entry.isFile()) {
      if (search.isWanted?.(prefix + entry.name) === false) continue;
      yield* await fileAt(folder, entry.name, prefix + entry.name).catch(leaveOut);
    } else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) {
      const child = await folder.folder(entry.name).catch(() => undefined);
      if (child === undefined) continue;
      try {
        yield* filesIn(child, `${prefix}${entry.name}/`, search);
      } finally {
        await child.close();
      }
    }
  }
}

async function fileAt(folder: PinnedFolder, name: string, path: string): Promise<FoundFile[]> {
  const { handle, size } = await openRegularFile(folder, name, path);
  try {
    if (size > MAX_SEARCHED_BYTES) return [{ path, tooLarge: size }];
    const bytes = await readAtMost(handle, MAX_SEARCHED_BYTES, path);
    return looksBinary(bytes) ? [] : [{ path, text: bytes.toString("utf8") }];
  } finally {
    await handle.close();
  }
}

function leaveOut(error: unknown): FoundFile[] {
  if (ServiceError.is(error)) return [];
  throw error;
}
