import { chmod, lstat, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";

/**
 * Removes a file or a folder with all that is in it. Programs that no one trusts may have made it: with folders so deep that no
 * path names them, or without the rights to look into them. No link is followed. What is not there is no failure.
 */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => removeFlattened(path));
}

/** Brings each folder up to the outermost one before it is looked into: so no path grows. */
async function removeFlattened(root: string): Promise<void> {
  const stat = await lstat(root).catch(() => undefined);
  if (stat?.isDirectory() !== true) return rm(root, { force: true });
  await letIn(Buffer.from(root));
  let moved = 0;
  // Names of this form may be taken: such an entry is renamed to a free one as any other is.
  const isFree = async (path: Buffer) => (await lstat(path).catch(() => undefined)) === undefined;
  const free = async () => {
    for (;;) {
      moved += 1;
      const path = entry(Buffer.from(root), Buffer.from(`${moved}`));
      if (await isFree(path)) return path;
    }
  };
  for (let folders = await emptied(Buffer.from(root)); folders.length > 0; ) {
    const next: Buffer[] = [];
    for (const folder of folders) {
      for (const inner of await emptied(folder)) {
        const place = await free();
        await rename(inner, place);
        next.push(place);
      }
      await rmdir(folder);
    }
    folders = next;
  }
  await rmdir(root);
}

/** Removes the files of a folder. @returns the folders that are left in it, which may be moved */
async function emptied(folder: Buffer): Promise<Buffer[]> {
  const folders: Buffer[] = [];
  for (const { name } of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = entry(folder, name);
    if (!(await lstat(path)).isDirectory()) {
      await unlink(path);
      continue;
    }
    await letIn(path);
    folders.push(path);
  }
  return folders;
}

function entry(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}

/** Of a folder that belongs to another user, what is done next says whether the rights are enough. */
async function letIn(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
}
