import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { FormerOwner, IsAlive, Lease, Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";
import { killMarked } from "../../process/orphans.js";
import { OWNER_MARKER } from "../../process/process-terms.js";
import { newOwnerId, type OwnerLiveness, ownerLiveness } from "../../process/owner.js";

/** Owners write a heartbeat this often, milliseconds. */
export const HEARTBEAT_MS = 1_000;

/** A run whose heartbeat is older than this may be claimed, milliseconds. */
const CLAIMABLE_AFTER_MS = 10_000;

/** A pool may have that many connections that were cut. */
const MOST_RELEASES = 10;

/** Shown as stale after this many missed heartbeats. */
export const STALE_HEARTBEATS = 3;

/**
 * Makes this process the run's owner.
 * @throws RUN_OWNER_ALIVE the owner's process lives and its heartbeat is fresh
 * @throws RUN_STILL_RUNNING the heartbeat is fresh and the owner is on another host
 * @throws RUN_RESUME_CLAIM_FAILED another process claimed it first
 */
export async function claimRun(
  store: Store,
  run: RunRow,
  options: {
    clock: Clock;
    force: boolean;
    /** Whose it was before a supervisor claimed it for this process. */
    claimedFrom?: string | null | undefined;
    /** Whether runs that have nothing to do with it are at work here. @default none of its tasks is begun */
    inCompany?: boolean;
  },
): Promise<Lease> {
  const now = options.clock.now();
  if (!options.force) refuseIfOwned(run, now);
  const lease = await store.claimRun({
    runId: run.runId,
    ownerId: newOwnerId(),
    nowMs: now,
    expected: { epoch: run.epoch, ownerId: run.ownerId, heartbeatAtMs: run.heartbeatAtMs },
    isAfterDeath: options.claimedFrom != null || (run.ownerId !== null && !isOwned(run, now)),
    ...(options.inCompany !== undefined && { inCompany: options.inCompany }),
  });
  for (const ownerId of [run.ownerId, options.claimedFrom]) {
    if (ownerId != null) await endProcessesOf(ownerId);
  }
  return lease;
}

/** @throws RUN_RESUME_CLAIM_FAILED another process has claimed the run since it had this epoch */
export function refuseClaimedSince({ runId, epoch }: RunRow, seenEpoch = epoch): void {
  if (seenEpoch === epoch) return;
  throw new ServiceError("RUN_RESUME_CLAIM_FAILED", `Another process claimed run ${runId} first.`, {
    details: { runId },
  });
}

/**
 * Ends what an owner's tasks have started and left running, before their successors begin: two agents, or
 * two git commands, would be at work in one folder. Only Linux shows which processes these are.
 */
async function endProcessesOf(ownerId: string): Promise<void> {
  // Another session of this very process ends its own.
  const isThisProcess = ownerId.split("/")[1] === String(process.pid) && ownerLiveness(ownerId) === "alive";
  if (!isThisProcess) await killMarked({ name: OWNER_MARKER, value: ownerId });
}

/** Another process drives the run, or was faster to claim it: nothing is wrong with the run. */
export function isClaimedByOthers(error: unknown): boolean {
  const codes = ["RUN_OWNER_ALIVE", "RUN_STILL_RUNNING", "RUN_RESUME_CLAIM_FAILED"];
  return codes.some((code) => ServiceError.is(error, code));
}

/** A process drives the run: its owner may live and has given a sign of it lately. */
export function isOwned({ ownerId, heartbeatAtMs }: RunRow, now: number): boolean {
  return ownerId !== null && isAliveAt(now)({ ownerId, heartbeatAtMs });
}

/** As `isOwned`, of owners of several runs. */
export function isAliveAt(now: number): IsAlive {
  return ({ ownerId, heartbeatAtMs }) => {
    const ageMs = now - (heartbeatAtMs ?? 0);
    return ageMs <= CLAIMABLE_AFTER_MS && isSignOfLife(ageMs, ownerLiveness(ownerId));
  };
}

/**
 * A heartbeat of this age speaks for its owner, if it is not too old. One that lies far in the future was
 * written before a clock was set back: it does not count until then for an owner that cannot be asked.
 */
export function isSignOfLife(ageMs: number, owner: OwnerLiveness): boolean {
  return owner === "alive" || (owner === "unknown" && ageMs >= -CLAIMABLE_AFTER_MS);
}

function refuseIfOwned(run: RunRow, now: number): void {
  if (run.ownerId === null || !isOwned(run, now)) return;
  const age = now - (run.heartbeatAtMs ?? 0);
  const details = { runId: run.runId, ownerId: run.ownerId, heartbeatAgeMs: age };
  if (ownerLiveness(run.ownerId) === "alive") {
    throw new ServiceError("RUN_OWNER_ALIVE", `Run ${run.runId} is driven by process ${run.ownerId}.`, {
      details,
    });
  }
  throw new ServiceError(
    "RUN_STILL_RUNNING",
    `Run ${run.runId} had a heartbeat from ${run.ownerId} ${Math.max(0, Math.round(age / 1000))} s ago.`,
    { details },
  );
}

/** A lease and where it is held. */
export interface HeldLease {
  readonly store: Pick<Store, "releaseLease">;
  readonly lease: Lease;
  /** Whose the run is again when the work fails; undefined = no owner. */
  readonly formerly?: FormerOwner | undefined;
}

/** Works on a claimed run. When that fails the lease is given up, so that the run can be resumed at once. */
export async function withLease<T>(
  { store, lease, formerly }: HeldLease,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The first error is the cause; a lease that cannot be given up ends with its heartbeat.
    await giveUp({ store, lease, formerly }).catch(() => {});
    throw error;
  }
}

/** A connection that was cut leaves open whether the lease is given up; giving it up twice is giving it up. */
async function giveUp({ store, lease, formerly }: HeldLease): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store.releaseLease(lease, formerly);
      return;
    } catch (error) {
      const isOpen = error instanceof ServiceError && error.details?.["outcome"] === "unknown";
      if (!isOpen || tries === MOST_RELEASES) throw error;
    }
  }
}
