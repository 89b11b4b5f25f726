import { createHash } from "node:crypto";
import { mkdir, readlink, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceError } from "../errors/service-error.js";
import { newOwnerId, ownerLiveness } from "../process/owner.js";
import { monotonicMs } from "../util/monotonic-ms.js";

/** Between two looks at a lock that another one has: of work that takes a moment, milliseconds. */
const BETWEEN_LOOKS_MS = 25;

/** A lock that one process has at a time. */
export interface Lock {
  /** Absolute; folders on the way are made. */
  readonly path: string;
  /** Ends the wait when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that an owner who does not end is waited for. @default without end */
  readonly waitMs?: number;
  /** Between two looks, milliseconds. @default 25 */
  readonly betweenLooksMs?: number;
  /** Why it is given up. */
  late(owner: string): ServiceError;
  /** Called at each look that finds it taken. */
  onWait?(): void;
}

interface Attempt extends Lock {
  readonly ownerId: string;
  readonly untilMs: number;
  /** The outermost folder that had to be made for the lock. */
  made: string | undefined;
}

/**
 * Runs the work while no one else holds the lock: no other process, and nothing else of this one. A process that dies meanwhile
 * keeps no other from it.
 * @throws what `late` makes, when the lock stays taken
 */
export async function holding<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  const { path, waitMs = Number.POSITIVE_INFINITY } = lock;
  const attempt: Attempt = {
    ...lock,
    late: (owner) => lock.late(owner),
    ...(lock.onWait !== undefined && { onWait: () => lock.onWait?.() }),
    ownerId: newOwnerId(),
    untilMs: monotonicMs() + waitMs,
    made: undefined,
  };
  await take(path, attempt);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
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
    else await wait(owner, attempt);
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

async function wait(owner: string, attempt: Attempt): Promise<void> {
  const { signal, untilMs, betweenLooksMs = BETWEEN_LOOKS_MS } = attempt;
  signal?.throwIfAborted();
  if (monotonicMs() >= untilMs) throw attempt.late(owner);
  attempt.onWait?.();
  await delay(betweenLooksMs, undefined, signal === undefined ? {} : { signal });
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
