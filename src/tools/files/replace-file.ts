import { constants } from "node:fs";
import { lstat, open, readdir, rename, rm } from "node:fs/promises";
import { shortHash } from "../../util/hash.js";
import { newId } from "../../util/ids.js";
import type { PinnedFolder } from "./pinned-folder.js";
import { errnoOf, pathEscape, pathInvalid } from "./sandbox-path.js";

const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Whose change it is. */
interface Author {
  readonly idempotencyKey: string;
  readonly attempt: number;
}

/**
 * Puts `content` in the place of an entry in one step: readers see the old file
 * or the new one, also after a crash. An existing file keeps its permissions.
 * @throws TOOL_PATH_ESCAPE, TOOL_PATH_INVALID
 */
export async function replaceFile(
  folder: PinnedFolder,
  name: string,
  file: { content: string; shown: string; author: Author },
): Promise<void> {
  const { content, shown, author } = file;
  const existing = await lstat(folder.entry(name)).catch(() => undefined);
  if (existing?.isSymbolicLink()) throw pathEscape(shown);
  if (name === "" || (existing !== undefined && !existing.isFile())) {
    throw pathInvalid(shown, "is not a file that could be replaced");
  }
  await removeLeftOver(folder, author);
  const temporary = `${beginning(author)}${author.attempt}-${newId()}.tmp`;
  const path = folder.entry(temporary);
  try {
    const handle = await open(path, CREATE_FLAGS, 0o666);
    try {
      await folder.verify({ name: temporary, handle });
      await handle.writeFile(content, "utf8");
      if (existing !== undefined) await handle.chmod(existing.mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await folder.verify();
    await rename(path, folder.entry(name));
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    if (typeof (error as { syscall?: unknown }).syscall !== "string") throw error;
    throw pathInvalid(shown, `cannot be written (${errnoOf(error)})`);
  }
}

function beginning({ idempotencyKey }: Author): string {
  return `.treadle-${shortHash(idempotencyKey)}-`;
}

/** An earlier attempt of the same task may have died between writing and renaming; by now no attempt uses its file. */
async function removeLeftOver(folder: PinnedFolder, author: Author): Promise<void> {
  if (author.attempt <= 1) return;
  const own = beginning(author);
  const names = await readdir(folder.entry("")).catch(() => []);
  const left = names.filter(
    (name) => name.startsWith(own) && Number.parseInt(name.slice(own.length), 10) < author.attempt,
  );
  await Promise.all(left.map((name) => rm(folder.entry(name), { force: true }).catch(() => undefined)));
}
