import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

export interface LeftFolders {
  /** Beginning of the names of those that are ours. @default "" */
  prefix?: string;
  /** Whether whoever has made one of that name may still use it. @default nobody does */
  isUsed?(name: string): boolean;
  /** One that has been touched since then is left alone, milliseconds. */
  untouchedMs: number;
}

/**
 * Removes folders that processes left behind which were killed, or that nobody has used for long. What cannot be
 * looked at or removed stays: it is somebody else's, or somebody else is at it.
 */
export async function removeLeftFolders(parent: string, left: LeftFolders): Promise<void> {
  const { prefix = "", isUsed = () => false, untouchedMs } = left;
  const names = await readdir(parent).catch(() => []);
  const before = Date.now() - untouchedMs;
  for (const name of names) {
    if (!name.startsWith(prefix) || isUsed(name)) continue;
    try {
      const folder = await stat(join(parent, name));
      if (!folder.isDirectory() || folder.uid !== process.getuid?.() || folder.mtimeMs >= before) continue;
      await rm(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another process removes the same ones.
    }
  }
}
