import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Lease, Store } from "../../store/index.js";
import type { Awaitable } from "../../util/awaitable.js";
import type { Clock } from "../../util/clock.js";

/** A proof is good for this many heartbeats: much less than it takes until another process may claim the run. */
const GOOD_FOR_BEATS = 3;
/** An answer of a slow disk, still in time: a run may be claimed after ten. */
const ANSWERED_WITHIN_BEATS = 8;

export interface HoldServices {
  readonly store: Pick<Store, "heartbeat">;
  readonly clock: Clock;
  readonly heartbeatMs: number;
}

/**
 * Whether this process still is the run's owner, as far as it can know.
 *
 * H1  Every commit and every heartbeat proves it for a short while.
 * H2  After that only the database knows: the process may have been stopped, or
 *     blocked, and another may have claimed the run.
 * H3  A lost lease, or one that cannot be asked about, ends the session.
 */
export class LeaseHold {
  readonly #services: HoldServices;
  readonly #lease: Lease;
  readonly #onLost: (error: Error) => void;
  #provedAtMs: number;

  constructor(services: HoldServices, lease: Lease, onLost: (error: Error) => void) {
    this.#services = services;
    this.#lease = lease;
    this.#onLost = onLost;
    this.#provedAtMs = services.clock.now();
  }

  /**
   * The database has taken something from this owner.
   * @param askedAtMs when it was asked: the process may have been stopped since the database answered
   */
  renew(askedAtMs: number): void {
    this.#provedAtMs = askedAtMs;
  }

  /** Whether the run may continue here; asks the database only when the last proof is old. */
  confirm(): Awaitable<boolean> {
    return this.#isProvedWithin(GOOD_FOR_BEATS) ? true : this.#ask();
  }

  #isProvedWithin(beats: number): boolean {
    const { clock, heartbeatMs } = this.#services;
    const age = clock.now() - this.#provedAtMs;
    // A clock that was set back says nothing about how long ago it was.
    return age >= 0 && age <= beats * heartbeatMs;
  }

  /**
   * Writes a heartbeat.
   * @throws RUN_RESUME_CLAIM_LOST; the store's errors
   */
  beat(): Awaitable<void> {
    const { clock, store } = this.#services;
    const askedAtMs = clock.now();
    const isHeld = store.heartbeat(this.#lease, askedAtMs);
    return isHeld instanceof Promise
      ? isHeld.then((held) => this.#judge(held, askedAtMs))
      : this.#judge(isHeld, askedAtMs);
  }

  #ask(): Awaitable<boolean> {
    const lost = (error: unknown): boolean => {
      this.#onLost(ensureError(error));
      return false;
    };
    try {
      const beaten = this.beat();
      // The process may have been stopped after the database had answered.
      const isInTime = () => this.#isProvedWithin(ANSWERED_WITHIN_BEATS) || this.#ask();
      return beaten instanceof Promise ? beaten.then(isInTime, lost) : isInTime();
    } catch (error) {
      return lost(error);
    }
  }

  #judge(isHeld: boolean, askedAtMs: number): void {
    if (isHeld) return this.renew(askedAtMs);
    const { runId } = this.#lease;
    throw new ServiceError("RUN_RESUME_CLAIM_LOST", `Run ${runId} was taken over by another owner.`, {
      details: { runId },
    });
  }
}
