import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newMarkKey } from "./mark-key.js";
import type { ResolvedSqliteOptions } from "./options.js";

/** Places in the header of a database file. */
const WRITE_VERSION = 18;
const READ_VERSION = 19;
const APPLICATION_ID = 68;
/** Of a file that has a write-ahead log. */
const WITH_LOG = 2;

/**
 * Makes a database file with the engine tables and a key for its mark. It appears as a whole, with its content on the
 * disk: a process that opens the path finds all of it or nothing, whenever this one dies. Its name is on the disk with the first
 * commit, for which SQLite syncs the folder.
 *
 * @returns false where it could not be made so: there is one, or the file system has no links
 * @throws the system's error where the disk has no room
 */
export function makeNewFile(
  { path, journalMode = "WAL" }: Pick<ResolvedSqliteOptions, "path" | "journalMode">,
  newImage: () => Buffer,
): boolean {
  if (existsSync(path)) return false;
  const image = Buffer.from(newImage());
  if (journalMode === "WAL") image.fill(WITH_LOG, WRITE_VERSION, READ_VERSION + 1);
  image.writeInt32BE(newMarkKey(), APPLICATION_ID);
  const draft = join(dirname(path), `.treadle-new-${randomBytes(8).toString("hex")}`);
  try {
    writeDurably(draft, image);
    linkSync(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Only this user may read inputs, outputs and transcripts; SQLite gives its other files the same permissions. */
function writeDurably(path: string, content: Buffer): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
