import { createHash } from "node:crypto";
import { lstat, mkdir, readlink, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceError } from "../../errors/service-error.js";
import { newOwnerId, ownerLiveness } from "../../process/owner.js";
import { monotonicMs } from "../../util/monotonic-ms.js";

/** Below a folder whose files are about to change. */
const PLACE = join(".service", "sandboxes");
const NAME = "applying.lock";
/** Between two looks at a lock that another process has, milliseconds. */
const BETWEEN_LOOKS_MS = 25;
/** Patches are put in place in seconds: an owner of whom nothing is known is given up after this, milliseconds. */
const LONGEST_WAIT_MS = 120_000;

interface Attempt {
  readonly ownerId: string;
  readonly signal: AbortSignal | undefined;
  readonly untilMs: number;
  /** The outermost folder that had to be made for the lock. */
  made: string | undefined;
}

/**
 * Keeps processes apart that change the files of one folder: the work runs while no other process does its own there.
 * A process that dies meanwhile keeps no other from it.
 * @throws SANDBOX_EXECUTION_FAILED when the folder stays taken, or a link leads its state elsewhere
 */
export async function alone<T>(
  root: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(root, PLACE, NAME);
  const untilMs = monotonicMs() + LONGEST_WAIT_MS;
  const attempt: Attempt = { ownerId: newOwnerId(), signal, untilMs, made: undefined };
  for (const folder of [dirname(PLACE), PLACE]) await refuseLink(join(root, folder));
  await take(path, attempt);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
    // With a state folder of its own a worktree would pass for a workspace.
    if (attempt.made !== undefined) await removeEmpty(dirname(path), dirname(attempt.made));
  }
}

async function makeFolder(path: string, attempt: Attempt): Promise<void> {
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (made !== undefined) attempt.made = made;
}

/** A lock is a link that names its owner: it is made in one step, whole or not at all. */
async function take(path: string, attempt: Attempt): Promise<void> {
  for (;;) {
    if (await isMade(path, attempt)) return;
    const owner = await ownerOf(path);
    if (owner === undefined) continue;
    if (ownerLiveness(owner) === "dead") await removeOfDead(path, owner, attempt);
    else await wait(path, owner, attempt);
  }
}

/** Of those that find the owner dead one removes the lock, and only while that one is the owner: the next may have it by then. */
async function removeOfDead(path: string, owner: string, attempt: Attempt): Promise<void> {
  const removal = `${path}.${createHash("sha256").update(owner).digest("hex").slice(0, 12)}`;
  await take(removal, attempt);
  try {
    if ((await ownerOf(path)) === owner) await unlink(path);
  } finally {
    await rm(removal, { force: true });
  }
}

async function wait(path: string, owner: string, { signal, untilMs }: Attempt): Promise<void> {
  signal?.throwIfAborted();
  if (monotonicMs() > untilMs) {
    throw new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `Another process (${owner}) puts a patch into the same folder, and does not end. If it is gone, remove ${path}, and resume.`,
      { details: { lock: path, owner } },
    );
  }
  await delay(BETWEEN_LOOKS_MS, undefined, signal === undefined ? {} : { signal });
}

async function isMade(path: string, attempt: Attempt): Promise<boolean> {
  try {
    await symlink(attempt.ownerId, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== "ENOENT") throw error;
    await makeFolder(path, attempt);
    return false;
  }
}

/** Undefined when it has been released. */
async function ownerOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function removeEmpty(folder: string, end: string): Promise<void> {
  for (let path = folder; path !== end; path = dirname(path)) {
    const isRemoved = await rmdir(path).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

async function refuseLink(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return;
  throw new ServiceError("SANDBOX_EXECUTION_FAILED", `A link leads ${folder} elsewhere: remove it.`, {
    retryable: false,
  });
}
