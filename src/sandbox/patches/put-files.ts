import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { createHash } from "node:crypto";
import { ServiceError } from "../../errors/service-error.js";
import { newId } from "../../util/ids.js";
import { type Change, NO_FILE, shownPath } from "./change.js";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const NO_CONTENT = "0".repeat(40);
const READABLE = 0o444;
/** What of a mode a changed file keeps: neither rights of its owner for others to run it with, nor execution, which git tells. */
const ACCESS = 0o666;

/** What stands at a path. */
type Standing = "old" | "new" | "other";

/** A folder that a change leads to, opened without following links; null where it is not there. */
interface Place {
  readonly folder: FileHandle | null;
  readonly name: Buffer;
}

/**
 * Puts the files of a checked patch into a folder. Each takes its place in one step, and one that has it already is left
 * alone, so that the same call after a crash completes what was begun.
 * @param from folder with the new contents, at the paths that they get
 * @throws SANDBOX_BUNDLE_INVALID when a file is neither what the patch was made for nor what it makes of it
 */
export async function putFiles(root: string, changes: readonly Change[], from: string): Promise<void> {
  const standing: Standing[] = [];
  for (const change of changes) standing.push(await standingOf(root, change));
  const other = changes.find((_, index) => standing[index] === "other");
  if (other !== undefined) throw notAsExpected(other);
  for (const change of changes) await refuseOccupiedFolder(root, change, changes);
  await putThose(root, changes, { from, standing });
}

/**
 * Undoes what `putFiles` has come to with the same changes. A file that is neither as it was nor as the patch makes it has
 * been changed by others, and stays so.
 * @param former folder with the contents before, at their paths
 */
export async function takeBack(root: string, changes: readonly Change[], former: string): Promise<void> {
  const back = changes.map(({ path, oldMode, newMode, oldId, newId }) => ({
    ...{ path, oldMode: newMode, newMode: oldMode, oldId: newId, newId: oldId },
  }));
  const standing: Standing[] = [];
  for (const change of back) standing.push(await standingOf(root, change));
  await putThose(root, back, { from: former, standing });
}

/** Changes the files that stand as they were. */
async function putThose(
  root: string,
  changes: readonly Change[],
  { from, standing }: { from: string; standing: readonly Standing[] },
): Promise<void> {
  // Deletions first: a file may make way for a folder of its name.
  for (const [index, change] of changes.entries()) {
    if (standing[index] === "old" && change.newMode === NO_FILE) await removeFile(root, change);
  }
  for (const [index, change] of changes.entries()) {
    if (standing[index] === "old" && change.newMode !== NO_FILE) await placeFile(root, change, from);
  }
}

function notAsExpected(change: Change): ServiceError {
  const path = shownPath(change);
  return new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `${JSON.stringify(path)} is not what the sandbox's patch was made for: it was changed meanwhile, or git ignores it.`,
    { details: { path } },
  );
}

/** A folder makes way for a file only when the same patch takes everything out of it. */
async function refuseOccupiedFolder(root: string, change: Change, changes: readonly Change[]): Promise<void> {
  if (change.newMode === NO_FILE) return;
  const removed = new Set(
    changes.flatMap(({ path, newMode }) => (newMode === NO_FILE ? [path.toString("latin1")] : [])),
  );
  const folders = [change.path];
  for (const path of folders) {
    const full = Buffer.concat([Buffer.from(`${root}/`), path]);
    const entries = await readdir(full, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
    for (const { name, isFolder } of entries.map((each) => ({
      name: each.name,
      isFolder: each.isDirectory(),
    }))) {
      const inside = Buffer.concat([path, Buffer.from("/"), name]);
      if (isFolder) folders.push(inside);
      else if (!removed.has(inside.toString("latin1"))) throw notAsExpected({ ...change, path: inside });
    }
  }
}

async function standingOf(root: string, change: Change): Promise<Standing> {
  const found = await within(root, change, { create: false }, ({ folder, name }) =>
    folder === null ? null : contentAt(folder, name),
  );
  if (isAt(found, change.newId, change.newMode)) return "new";
  return isAt(found, change.oldId, change.oldMode) ? "old" : "other";
}

type Content = { id: string; mode: string } | null | "no-file";

function isAt(found: Content, id: string, mode: string): boolean {
  if (mode === NO_FILE) return found === null || found === "no-file";
  return found !== null && found !== "no-file" && found.id === id && found.mode === mode;
}

/** Null: there is nothing. A folder, of which git knows nothing, counts as no file; a link as something else. */
async function contentAt(folder: FileHandle, name: Buffer): Promise<Content> {
  let file: FileHandle;
  try {
    file = await open(entry(folder, name), READ);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    return { id: NO_CONTENT, mode: "other" };
  }
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) return "no-file";
    if (!stat.isFile()) return { id: NO_CONTENT, mode: "other" };
    const content = await file.readFile();
    const id = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    return { id, mode: (stat.mode & 0o100) === 0 ? "100644" : "100755" };
  } finally {
    await file.close();
  }
}

async function removeFile(root: string, change: Change): Promise<void> {
  await within(root, change, { create: false }, async ({ folder, name }) => {
    if (folder !== null) await rm(entry(folder, name), { force: true });
  });
  await removeEmptyFolders(root, change.path);
}

/** As git does: a folder whose last file is gone is gone, too. */
async function removeEmptyFolders(root: string, path: Buffer): Promise<void> {
  for (let end = path.lastIndexOf(0x2f); end > 0; end = path.subarray(0, end).lastIndexOf(0x2f)) {
    const folderPath = path.subarray(0, end);
    const isRemoved = await within(
      root,
      { path: folderPath },
      { create: false },
      async ({ folder, name }) => {
        if (folder === null) return false;
        return rmdir(entry(folder, name)).then(
          () => true,
          () => false,
        );
      },
    );
    if (!isRemoved) return;
  }
}

async function placeFile(root: string, change: Change, from: string): Promise<void> {
  const content = await readNew(from, change.path);
  await within(root, change, { create: true }, async ({ folder, name }) => {
    if (folder === null) throw notAsExpected(change);
    const temporary = entry(folder, Buffer.from(`.treadle-${newId()}.tmp`));
    try {
      const kept = await accessOf(folder, name);
      const file = await open(temporary, CREATE, kept ?? ACCESS);
      try {
        const access = kept ?? (await file.stat()).mode & ACCESS;
        await file.chmod(change.newMode === "100755" ? access | ((access & READABLE) >> 2) : access);
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      // An empty folder may stand where the file belongs.
      await rmdir(entry(folder, name)).catch(() => undefined);
      await rename(temporary, entry(folder, name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/** Who may read and write the file that is replaced; undefined where there is none. */
async function accessOf(folder: FileHandle, name: Buffer): Promise<number | undefined> {
  const file = await open(entry(folder, name), READ).catch(() => undefined);
  try {
    const stat = await file?.stat();
    return stat?.isFile() === true ? stat.mode & ACCESS : undefined;
  } finally {
    await file?.close();
  }
}

async function readNew(from: string, path: Buffer): Promise<Buffer> {
  const file = await open(Buffer.concat([Buffer.from(`${from}/`), path]), READ);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Opens the folder of a path step by step, following no link, and closes it after use. */
async function within<T>(
  root: string,
  { path }: Pick<Change, "path">,
  options: { create: boolean },
  use: (place: Place) => T | Promise<T>,
): Promise<T> {
  const parts = split(path);
  const name = parts.pop() ?? Buffer.alloc(0);
  let folder: FileHandle | null = await open(await realpath(root), FOLDER);
  try {
    for (const part of parts) {
      const next: FileHandle | null = await step(folder, part, options.create);
      await folder.close();
      folder = next;
      if (folder === null) break;
    }
    return await use({ folder, name });
  } finally {
    await folder?.close();
  }
}

async function step(folder: FileHandle, name: Buffer, create: boolean): Promise<FileHandle | null> {
  const path = entry(folder, name);
  if (create) await mkdir(path).catch(() => undefined);
  try {
    return await open(path, FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || (code === "ENOTDIR" && !create)) return null;
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `${JSON.stringify(name.toString("utf8"))}, which the sandbox's patch leads through, is no folder but a file or a link.`,
    );
  }
}

/** Path of an entry of an open folder, good for one system call, whatever is renamed meanwhile. */
function entry(folder: FileHandle, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${folder.fd}/`), name]);
}

function split(path: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start <= path.length; ) {
    const end = path.indexOf(0x2f, start);
    parts.push(path.subarray(start, end < 0 ? path.length : end));
    if (end < 0) break;
    start = end + 1;
  }
  return parts;
}
