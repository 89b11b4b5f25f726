import { ServiceError } from "../../errors/service-error.js";
import { Snapshots } from "../patches/snapshots.js";
import { workspacesOf } from "./workspace-folder.js";

/** Two snapshots that belong together. */
export interface WorkspaceSnapshot {
  /** The run's folder, as the workspace knew it. */
  readonly base: string;
  /** The workspace. */
  readonly files: string;
}

/**
 * Finds a snapshot of a workspace among those of this run and of other runs of the folder, and brings it into a repository.
 * @throws SNAPSHOT_NOT_FOUND
 */
export async function findSnapshot(
  snapshots: Snapshots,
  { root, name, snapshotId }: { root: string; name: string; snapshotId: string },
  signal: AbortSignal,
): Promise<WorkspaceSnapshot> {
  const own = await snapshots.pairOf(snapshotId);
  if (own !== undefined) return own;
  for (const folder of await workspacesOf(root, name)) {
    const others = new Snapshots(folder.snapshots, signal);
    const found = await others.pairOf(snapshotId);
    if (found === undefined) continue;
    await snapshots.bring(snapshotId, folder.snapshots);
    return found;
  }
  throw new ServiceError(
    "SNAPSHOT_NOT_FOUND",
    `No run of this folder has a snapshot ${snapshotId} of a sandbox's workspace ${name}: the event SandboxCompleted names those that there are, and they go when their run is pruned.`,
    { details: { workspace: name, snapshotId }, retryable: false },
  );
}
