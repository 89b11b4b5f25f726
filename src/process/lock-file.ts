import { createHash } from "node:crypto";
import { lstat, lutimes, mkdir, readlink, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceError } from "../errors/service-error.js";
import { monotonicMs } from "../util/monotonic-ms.js";
import { newOwnerId, ownerLiveness, type OwnerLiveness } from "./owner.js";

/** Between two looks at a lock that another one has: of work that takes a moment, milliseconds. */
const BETWEEN_LOOKS_MS = 25;
/** Between two signs of life of who keeps a lock, milliseconds. */
const SIGN_MS = 2_000;

/** A lock that one process has at a time. */
export interface Lock {
  /** Absolute; folders on the way are made. */
  readonly path: string;
  /** Ends the wait when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that an owner who does not end is waited for. @default without end */
  readonly waitMs?: number;
  /**
   * Milliseconds without a sign of life after which an owner that cannot be asked, of another machine, container or
   * boot, is taken for dead. @default never
   */
  readonly silentMs?: number;
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
  const { release } = await begin(lock);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Takes the lock for as long as the process lives, or until it is released, and gives signs of life.
 * @throws what `late` makes, when the lock stays taken
 */
export async function keepLock(lock: Lock): Promise<() => Promise<void>> {
  const { attempt, release } = await begin(lock);
  const signs = setInterval(() => void giveSign(attempt), SIGN_MS).unref();
  return () => {
    clearInterval(signs);
    return release();
  };
}

async function begin(lock: Lock): Promise<{ attempt: Attempt; release: () => Promise<void> }> {
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
  const release = async () => {
    if ((await ownerOf(path)) === attempt.ownerId) await rm(path, { force: true });
    if (attempt.made !== undefined) await removeEmpty(dirname(path), dirname(attempt.made));
  };
  return { attempt, release };
}

async function giveSign({ path, ownerId }: Attempt): Promise<void> {
  const now = new Date();
  if ((await ownerOf(path).catch(() => undefined)) === ownerId) await lutimes(path, now, now).catch(() => {});
}

async function makeFolder(path: string, attempt: Attempt): Promise<void> {
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (made !== undefined) attempt.made = made;
}

/** A lock is a link that names its owner: it is made in one step, whole or not at all. */
async function take(path: string, attempt: Attempt): Promise<void> {
  const silence = new Silence(path, attempt.silentMs);
  for (;;) {
    if (await isMade(path, attempt)) return;
    const owner = await ownerOf(path);
    if (owner === undefined) continue;
    const liveness = ownerLiveness(owner);
    const found = liveness === "unknown" ? await silence.judge(owner) : liveness;
    if (found === "dead") await removeOfDead(path, owner, attempt);
    else await wait(owner, found === "alive" ? attempt : { ...attempt, untilMs: Number.POSITIVE_INFINITY });
  }
}

/** Judges an owner that cannot be asked by its signs of life, and by the time of who looks: clocks differ. */
class Silence {
  readonly #path: string;
  readonly #longMs: number | undefined;
  #owner: string | undefined;
  #sign: number | undefined;
  #sinceMs = 0;

  constructor(path: string, longMs: number | undefined) {
    this.#path = path;
    this.#longMs = longMs;
  }

  async judge(owner: string): Promise<OwnerLiveness> {
    if (this.#longMs === undefined) return "alive";
    const sign = (await lstat(this.#path).catch(() => undefined))?.mtimeMs;
    if (owner !== this.#owner) {
      this.#owner = owner;
      this.#sign = sign;
      this.#sinceMs = monotonicMs();
    }
    if (sign !== this.#sign) return "alive";
    return monotonicMs() - this.#sinceMs < this.#longMs ? "unknown" : "dead";
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
