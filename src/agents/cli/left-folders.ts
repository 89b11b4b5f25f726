import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

export interface LeftFolders {
  /** Beginning of the names of those that are ours. @default "" */
  prefix?: string;
  /** Whether the process that made one of that name may still use it. @default it does not */
  isUsed?(name: string): boolean;
  /** One that has been touched since then is left alone, milliseconds. */
  untouchedMs: number;
}

/**
 * Removes folders that processes left behind which were killed, or that were not used for long. A folder that cannot be
 * looked at or removed stays: it is another user's, or another process uses it.
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
