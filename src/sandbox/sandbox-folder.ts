import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { ServiceError } from "../errors/service-error.js";
import { MOST_BUNDLE_BYTES } from "./bundles/limits.js";
import { removeTree } from "./remove-tree.js";

/** The folders of one attempt. Only the first two are ever shown to what runs inside. */
export interface SandboxFolder {
  /** The copy of the run's folder. */
  readonly files: string;
  /** Takes what the sandbox gives as files. */
  readonly result: string;
  readonly request: string;
  /** The engine's repository of snapshots. */
  readonly snapshots: string;
  /** The patch, made by the engine. */
  readonly patchFile: string;
  /** Keeps how far the patch has been put in place. */
  readonly application: string;
  /** All of them, relative to the run's folder. */
  readonly path: string;
}

export const RESULT_FOLDER = "result-bundle";

/** In the state folder, which neither tools nor agents see. */
export const SANDBOXES = join(".service", "sandboxes");

/** @param path as `SandboxFolder` has it */
export function sandboxFolder(root: string, path: string): SandboxFolder {
  const at = (name: string) => join(root, path, name);
  return {
    files: at("files"),
    result: at(RESULT_FOLDER),
    request: at("request-bundle"),
    snapshots: at("snapshots"),
    patchFile: at("changes.patch"),
    application: at("application"),
    path,
  };
}

/**
 * Makes the folders of an attempt, and removes those of earlier ones: their changes are of no use any more.
 * @throws SANDBOX_EXECUTION_FAILED when a link leads the folder elsewhere
 */
export async function makeSandboxFolder(
  root: string,
  of: { runId: string; nodeId: string; iteration: number; attempt: number },
): Promise<SandboxFolder> {
  const attempts = join(SANDBOXES, of.runId, encodeURIComponent(`${of.nodeId}@${of.iteration}`));
  mkdirSync(join(root, attempts), { recursive: true, mode: 0o700 });
  if (relative(realpathSync(root), realpathSync(join(root, attempts))) !== attempts) {
    throw new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `A link leads ${join(root, SANDBOXES)} elsewhere: remove it.`,
      {
        retryable: false,
      },
    );
  }
  for (const name of readdirSync(join(root, attempts))) {
    await removeTree(join(root, attempts, name));
  }
  const folder = sandboxFolder(root, join(attempts, String(of.attempt)));
  for (const each of [folder.files, folder.result, folder.request]) {
    mkdirSync(each, { recursive: true, mode: 0o700 });
  }
  return folder;
}

/**
 * Bytes of all files below a folder.
 * @throws SANDBOX_BUNDLE_INVALID for folders that cannot be looked into
 */
export async function folderBytes(folder: string): Promise<number> {
  let total = 0;
  const folders = [Buffer.from(folder)];
  for (const at of folders) {
    for (const entry of await readdir(at, { withFileTypes: true, encoding: "buffer" }).catch(notRead)) {
      const path = Buffer.concat([at, Buffer.from("/"), entry.name]);
      if (entry.isDirectory()) folders.push(path);
      else total += (await lstat(path).catch(notRead)).size;
    }
  }
  return total;
}

function notRead({ code = "unknown reason" }: NodeJS.ErrnoException): never {
  const why =
    code === "ENAMETOOLONG" ? "folders so deep that no path names them" : `what cannot be read (${code})`;
  throw new ServiceError("SANDBOX_BUNDLE_INVALID", `The sandbox has left ${why}: nothing of it was taken.`);
}

/** @throws SANDBOX_BUNDLE_TOO_LARGE */
export function refuseLarge(bytes: number, bytesBefore: number): void {
  if (bytes - bytesBefore <= MOST_BUNDLE_BYTES) return;
  throw new ServiceError(
    "SANDBOX_BUNDLE_TOO_LARGE",
    `The files of the sandbox have grown by ${bytes - bytesBefore} bytes; at most ${MOST_BUNDLE_BYTES} are taken.`,
    { details: { bytes: bytes - bytesBefore, limit: MOST_BUNDLE_BYTES } },
  );
}

/** Removes all files below a folder but some, given by their paths in it. */
export async function removeOthers(folder: string, kept: readonly string[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !kept.includes(relative(folder, path))) await rm(path, { force: true });
  }
}

/** Removes what a run's sandboxes have left in the state folder: patches, and workspaces. */
export async function removeSandboxes(root: string, runId: string): Promise<void> {
  if (lstatSync(join(root, SANDBOXES, runId), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  await removeTree(join(root, SANDBOXES, runId));
}
