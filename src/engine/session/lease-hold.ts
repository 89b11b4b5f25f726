import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Lease, Store } from "../../store/contract.js";
import type { Awaitable } from "../../util/awaitable.js";
import type { Clock } from "../../util/clock.js";

/** A proof is good for this many heartbeats: much less than it takes until somebody else may claim the run. */
const GOOD_FOR_BEATS = 3;

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

  /** The database has just taken something from this owner. */
  renew(): void {
    this.#provedAtMs = this.#services.clock.now();
  }

  /** Whether the run may go on here; asks the database only when the last proof is old. */
  confirm(): Awaitable<boolean> {
    const { clock, heartbeatMs } = this.#services;
    const age = clock.now() - this.#provedAtMs;
    // A clock that was set back says nothing about how long ago it was.
    return age >= 0 && age <= GOOD_FOR_BEATS * heartbeatMs ? true : this.#ask();
  }

  /**
   * Writes a heartbeat.
   * @throws RUN_RESUME_CLAIM_LOST; the store's errors
   */
  beat(): Awaitable<void> {
    const { clock, store } = this.#services;
    const isHeld = store.heartbeat(this.#lease, clock.now());
    return isHeld instanceof Promise ? isHeld.then((held) => this.#judge(held)) : this.#judge(isHeld);
  }

  #ask(): Awaitable<boolean> {
    const lost = (error: unknown): boolean => {
      this.#onLost(ensureError(error));
      return false;
    };
    try {
      const beaten = this.beat();
      return beaten instanceof Promise ? beaten.then(() => true, lost) : true;
    } catch (error) {
      return lost(error);
    }
  }

  #judge(isHeld: boolean): void {
    if (isHeld) return this.renew();
    const { runId } = this.#lease;
    throw new ServiceError("RUN_RESUME_CLAIM_LOST", `Run ${runId} was taken over by another owner.`, {
      details: { runId },
    });
  }
}
