import type { TaskPlace } from "../model/address.js";
import type { NamedLimits } from "../model/named-limit.js";
import type { Awaitable } from "../util/awaitable.js";
import type { Lease } from "./lease.js";

/** Who has a run. `heartbeatAtMs`: the last sign of life, epoch ms. */
export interface RunOwner {
  readonly ownerId: string;
  readonly heartbeatAtMs: number | null;
}

/** Whether an owner lives, as far as the asking process knows. Slots of a dead one do not count. */
export type IsAlive = (owner: RunOwner) => boolean;

/** Tasks of one run that want a slot of the same limits each, in the order in which they get them. */
export interface AcquireRequest {
  /** Sorted. */
  readonly limits: readonly string[];
  readonly nodes: readonly TaskPlace[];
}

/** The wishes of a process for all its runs; they replace its earlier ones. */
export interface SlotRequest {
  readonly nowMs: number;
  readonly isAlive: IsAlive;
  readonly runs: readonly {
    readonly lease: Lease;
    readonly declared: NamedLimits;
    readonly acquires: readonly AcquireRequest[];
  }[];
  /** It can use no more than these. */
  readonly most: number;
}

export interface SlotGrant extends TaskPlace {
  readonly runId: string;
  readonly limits: readonly string[];
}

export interface SlotAnswer {
  /** In the order in which they were given. */
  readonly granted: SlotGrant[];
  /** When a rate allows the next, epoch ms; null when that is for others to decide. */
  readonly retryAtMs: number | null;
}

/** A slot that an attempt leaves with the commit that ends it. */
export interface FreedSlot extends TaskPlace {
  /** It counts as never taken. */
  readonly isUnused: boolean;
}

/** A run's declaration of its limits. */
export interface LimitDeclaration {
  readonly declared: NamedLimits;
  /** Of the run that is driven under it from now on; absent: only looks whether another run contradicts. */
  readonly lease?: Lease;
  readonly isAlive: IsAlive;
}

/** A limit that tasks of a run wait for, and who has it. */
export interface LimitQueue extends AcquireRequest {
  readonly sinceMs: number;
  /** Runs that get a slot before this one. */
  readonly ahead: number;
  readonly use: readonly LimitUse[];
}

/** A named limit and the part of it that is in use. */
export interface LimitUse {
  /** As `createService` declares it. */
  readonly name: string;
  /** Attempts at once; null = any number. */
  readonly concurrency: number | null;
  /** Starts in a minute; null = any number. */
  readonly perMinute: number | null;
  /** Attempts that have a slot now. */
  readonly holders: readonly LimitHolder[];
  /** Epoch ms at which the rate allows the next start; null when it does already, or there is no rate. */
  readonly opensAtMs: number | null;
}

/** An attempt that has a slot of a limit. */
export interface LimitHolder extends TaskPlace {
  readonly runId: string;
  /** Epoch ms. */
  readonly sinceMs: number;
}

/** Limits that the runs of a database share. */
export interface LimitStore {
  /**
   * Keeps what a run's workflow declares, for as long as the run has this lease.
   * @throws LIMIT_CONFLICT a run that is driven at this moment has declared a limit of the name otherwise
   */
  declare(declaration: LimitDeclaration): Awaitable<void>;
  /** Takes slots for the runs of a process, as far as it is their turn; the others keep their place. */
  take(request: SlotRequest): Awaitable<SlotAnswer>;
  /** The limits that tasks of a run wait for, as far as their process has asked. */
  queuesOf(runId: string, at: { nowMs: number; isAlive: IsAlive }): Awaitable<LimitQueue[]>;
}
