import { basename, dirname, join, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { FileState } from "../../vcs/file-state.js";
import { repositoryAround } from "../../vcs/find-repository.js";

/** Files that a new run begins with. */
export interface RestoredFiles {
  /** The commit that holds them. */
  commit: string;
  /** The new worktree; null where none was made. */
  worktree: string | null;
  /** The folder in it that the new run works in; null where none was made. */
  rootDir: string | null;
}

/** Where the files of a state come to be for a new run: beside the repository that they were recorded in. */
export function restorePlace(
  { root, folder }: FileState,
  runId: string,
): { worktree: string; rootDir: string } {
  const worktree = join(dirname(root), `${basename(root)}-${runId}`);
  return { worktree, rootDir: join(worktree, folder) };
}

/** @throws VCS_NOT_FOUND, SNAPSHOT_NOT_FOUND */
export function requireFiles(
  state: FileState | undefined,
  { runId, frameNo, root }: { runId: string; frameNo: number; root: string },
): FileState {
  if (state !== undefined) return state;
  const details = { runId, frameNo, rootDir: root };
  if (repositoryAround(resolve(root)) === undefined) {
    throw new ServiceError(
      "VCS_NOT_FOUND",
      `Run ${runId} works in ${root}, which is in no git or jj repository: there are no files to restore. Replay it without restoreVcs.`,
      { details },
    );
  }
  throw new ServiceError(
    "SNAPSHOT_NOT_FOUND",
    `No files of ${root} were recorded in run ${runId}: no task of it that changes files has begun, or recording was switched off. Replay it without restoreVcs.`,
    { details },
  );
}
