import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { holding } from "../../process/lock-file.js";
import { SANDBOXES } from "../sandbox-folder.js";

const NAME = "applying.lock";
/** Patches are put in place in seconds: an owner of whom nothing is known is given up after this, milliseconds. */
const LONGEST_WAIT_MS = 120_000;

/**
 * Keeps processes apart that change the files of one folder: the work runs while no other process does its own there. What had
 * to be made for the lock goes with it: with a state folder of its own a worktree would pass for a workspace.
 * @throws SANDBOX_EXECUTION_FAILED when the folder stays taken, or a link leads its state elsewhere
 */
export async function alone<T>(
  root: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(root, SANDBOXES, NAME);
  for (const folder of [dirname(SANDBOXES), SANDBOXES]) await refuseLink(join(root, folder));
  const late = (owner: string) =>
    new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `Another process (${owner}) puts a patch into the same folder, and does not end. If it is gone, remove ${path}, and resume.`,
      { details: { lock: path, owner } },
    );
  return holding({ path, signal, waitMs: LONGEST_WAIT_MS, late }, work);
}

async function refuseLink(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return;
  throw new ServiceError("SANDBOX_EXECUTION_FAILED", `A link leads ${folder} elsewhere: remove it.`, {
    retryable: false,
  });
}
