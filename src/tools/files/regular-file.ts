import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { ServiceError } from "../../errors/service-error.js";
import type { PinnedFolder } from "./pinned-folder.js";
import { errnoOf, pathEscape, pathInvalid } from "./sandbox-path.js";

// O_NONBLOCK: opening a pipe without a writer must fail the type check, not wait.
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a regular file of a pinned folder for reading.
 * @throws TOOL_PATH_ESCAPE for links, TOOL_PATH_INVALID for anything else that is no file
 */
export async function openRegularFile(
  folder: PinnedFolder,
  name: string,
  shown: string,
): Promise<{ handle: FileHandle; size: number; mode: number }> {
  if (name === "") throw pathInvalid(shown, "is a folder, not a file");
  const path = folder.entry(name);
  // Devices act on being opened, so the type is looked at before; the check that counts is the one after.
  const before = await lstat(path).catch((error) => {
    throw pathInvalid(
      shown,
      errnoOf(error) === "ENOENT" ? "does not exist" : `cannot be read (${errnoOf(error)})`,
    );
  });
  if (before.isSymbolicLink()) throw pathEscape(shown);
  if (!before.isFile()) throw pathInvalid(shown, `is ${kindOf(before)}, not a file`);
  const handle = await open(path, FILE_FLAGS).catch((error) => {
    if (errnoOf(error) === "ELOOP") throw pathEscape(shown);
    throw pathInvalid(shown, `cannot be read (${errnoOf(error)})`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw pathInvalid(shown, `is ${kindOf(stat)}, not a file`);
    await folder.verify({ name, handle });
    return { handle, size: stat.size, mode: stat.mode & 0o7777 };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * All bytes of a file. The size is checked again while reading: files grow.
 * @throws TOOL_FILE_TOO_LARGE
 */
export async function readAtMost(handle: FileHandle, maxBytes: number, shown: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, end: maxBytes })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
  }
  if (length > maxBytes) throw fileTooLarge(shown, (await handle.stat()).size, maxBytes);
  return Buffer.concat(chunks, length);
}

export function fileTooLarge(shown: string, size: number, limit: number): ServiceError {
  return new ServiceError("TOOL_FILE_TOO_LARGE", `"${shown}" has ${size} bytes, the limit is ${limit}.`, {
    details: { path: shown, size, limit },
  });
}

/** A NUL byte: text files have none, nearly every binary format does within its first bytes. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}

function kindOf(stat: Awaited<ReturnType<typeof lstat>>): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a pipe";
  if (stat.isSocket()) return "a socket";
  return "a device";
}
