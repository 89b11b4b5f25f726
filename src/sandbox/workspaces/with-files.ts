import { removeTree } from "../remove-tree.js";
import { Snapshots } from "../patches/snapshots.js";
import { findSnapshot } from "./find-snapshot.js";
import type { FilesRequest, GivenFiles } from "./given-files.js";
import { merged } from "./merged.js";
import { inStickyWorkspace } from "./sticky-workspace.js";

/**
 * Makes the files of an attempt and takes them away again: a new copy of the run's folder, or a workspace that is kept.
 * @throws SNAPSHOT_NOT_FOUND, SANDBOX_BUNDLE_INVALID where a workspace and the run's folder have changed the same lines
 */
export async function withFiles<T>(
  request: FilesRequest,
  work: (files: GivenFiles) => Promise<T>,
): Promise<T> {
  const { folder, workspace } = request;
  try {
    if (workspace !== undefined && workspace.persistence !== "ephemeral") {
      return await inStickyWorkspace(request, workspace, work);
    }
    return await work(await newCopy(request));
  } finally {
    // What is left is the patch, and what the sandbox gave as files.
    for (const path of [folder.files, folder.snapshots]) await removeTree(path);
  }
}

async function newCopy(request: FilesRequest): Promise<GivenFiles> {
  const { root, rootDir, workspace, folder, signal } = request;
  const snapshots = new Snapshots(folder.snapshots, signal);
  const base = await snapshots.take(rootDir);
  let given = base;
  if (workspace?.snapshotId !== undefined) {
    const { name, snapshotId } = workspace;
    const began = await findSnapshot(snapshots, { root, name, snapshotId }, signal);
    given = await merged(snapshots, { began, base, name, file: folder.patchFile });
  }
  if (given === base) await snapshots.copyTo(folder.files);
  else await snapshots.putInto(folder.files, given);
  return {
    ...{ folder, snapshots, base, given },
    settle: (after) => Promise.resolve({ base, files: after }),
    keep: () => Promise.resolve(undefined),
  };
}
