import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { ServiceError } from "../../errors/service-error.js";
import { MOST_PATCHES } from "../patches/check-changes.js";
import { MOST_BUNDLE_BYTES, MOST_MANIFEST_BYTES, bundleTooLarge } from "./limits.js";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The request or result as JSON, whatever its name says. */
export const MANIFEST = "README.md";
export const STREAM_LOG = "logs/stream.ndjson";
const PATCH = /^patches\/[^/]+\.patch$/;
const ARTIFACT = /^artifacts\/./;
const FOLDERS = /^(?:patches|logs|artifacts(?:\/.*)?)$/;

/** Bytes. */
const LONGEST_PATH = 1_024;
/** Levels of folders: each is kept open while the ones below are read. */
const DEEPEST = 16;
const MOST_FILES = 10_000;

/** The files of a bundle, with the contents of those that say what becomes of the run's folder. */
export interface BundleFiles {
  readonly manifest?: Buffer;
  /** By their paths in the bundle. */
  readonly patches: ReadonlyMap<string, Buffer>;
  /** Paths in the bundle. */
  readonly artifacts: readonly string[];
  readonly log?: Buffer;
}

interface Reading {
  manifest?: Buffer;
  readonly patches: Map<string, Buffer>;
  readonly artifacts: string[];
  log?: Buffer;
  bytes: number;
  files: number;
  /** Is given the content of each file that is kept as a file. */
  readonly look: Look | undefined;
}

type Look = (content: Buffer, path: string) => void;

/**
 * Reads a bundle, of which anyone may have written anything: no link is followed, wherever it stands and whenever it is made.
 * @param folder of the results, which the engine has made
 * @param below the bundle in it, as names of folders
 * @param look is given each artifact and the log
 * @throws SANDBOX_BUNDLE_INVALID, SANDBOX_BUNDLE_TOO_LARGE
 */
export async function readBundleFiles(
  folder: string,
  below: readonly string[],
  look?: Look,
): Promise<BundleFiles> {
  const reading: Reading = { patches: new Map(), artifacts: [], bytes: 0, files: 0, look };
  let place = await open(folder, FOLDER);
  try {
    for (const name of below) {
      const next = await opened(place, name, { flags: FOLDER, shown: below.join("/") });
      await place.close();
      place = next;
    }
    await readFolder(place, "", reading);
  } finally {
    await place.close();
  }
  reading.artifacts.sort();
  return reading;
}

async function readFolder(folder: FileHandle, at: string, reading: Reading): Promise<void> {
  const names = await readdir(`/proc/self/fd/${folder.fd}`, { encoding: "buffer" });
  for (const bytes of names.sort(Buffer.compare)) {
    const name = bytes.toString("utf8");
    const path = at === "" ? name : `${at}/${name}`;
    if (!Buffer.from(name).equals(bytes)) throw invalidBundle(path, "has a name that is no UTF-8");
    if (Buffer.byteLength(path) > LONGEST_PATH)
      throw invalidBundle(path, `has a path of more than ${LONGEST_PATH} bytes`);
    const entry = await opened(folder, name, { flags: READ, shown: path });
    try {
      await readEntry(entry, path, reading);
    } finally {
      await entry.close();
    }
  }
}

async function readEntry(entry: FileHandle, path: string, reading: Reading): Promise<void> {
  const stat = await entry.stat();
  if (stat.isDirectory()) {
    if (!FOLDERS.test(path)) throw invalidBundle(path, "is no folder that a bundle has");
    if (path.split("/").length > DEEPEST) throw invalidBundle(path, `is more than ${DEEPEST} folders deep`);
    return readFolder(entry, path, reading);
  }
  if (!stat.isFile()) throw invalidBundle(path, "is no plain file");
  if (stat.nlink > 1) throw invalidBundle(path, "is a hard link, which others may change");
  reading.files += 1;
  reading.bytes += stat.size;
  if (reading.files > MOST_FILES)
    throw bundleTooLarge(`The sandbox's bundle has more than ${MOST_FILES} files`, MOST_FILES);
  if (reading.bytes > MOST_BUNDLE_BYTES)
    throw bundleTooLarge(`The files of the sandbox's bundle have ${reading.bytes} bytes`, MOST_BUNDLE_BYTES);
  if (path === MANIFEST && stat.size > MOST_MANIFEST_BYTES)
    throw bundleTooLarge(`${MANIFEST} of the sandbox's bundle has ${stat.size} bytes`, MOST_MANIFEST_BYTES);
  await takeFile(entry, path, reading);
}

async function takeFile(file: FileHandle, path: string, reading: Reading): Promise<void> {
  if (path === MANIFEST) reading.manifest = await file.readFile();
  else if (PATCH.test(path)) {
    if (reading.patches.size >= MOST_PATCHES)
      throw bundleTooLarge(`The sandbox's bundle has more than ${MOST_PATCHES} patches`, MOST_PATCHES);
    reading.patches.set(path, await file.readFile());
  } else if (path === STREAM_LOG) {
    reading.log = await file.readFile();
    reading.look?.(reading.log, path);
  } else if (ARTIFACT.test(path)) {
    reading.artifacts.push(path);
    reading.look?.(await file.readFile(), path);
  } else throw invalidBundle(path, "is no file that a bundle has");
}

async function opened(
  folder: FileHandle,
  name: string,
  { flags, shown }: { flags: number; shown: string },
): Promise<FileHandle> {
  try {
    return await open(`/proc/self/fd/${folder.fd}/${name}`, flags);
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || (code === "ENOTDIR" && flags === FOLDER))
      throw invalidBundle(shown, "is a link, or no folder");
    throw invalidBundle(shown, `cannot be opened (${code})`);
  }
}

export function invalidBundle(path: string, why: string): ServiceError {
  const shown = path.slice(0, LONGEST_PATH);
  return new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `${JSON.stringify(shown)} of the sandbox's bundle ${why}. A bundle has README.md (JSON), patches/*.patch, artifacts/ and ${STREAM_LOG}, plain files all of them; nothing of this one was taken.`,
    { details: { path: shown } },
  );
}
