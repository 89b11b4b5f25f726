import { type AttemptHandle, type AttemptJob, type AttemptLink, keptError } from "../engine/index.js";
import { newOwnerId, ownerLiveness } from "../process/owner.js";
import { type DispatchReport, onOutsideChange, type StandingDispatch } from "../store/index.js";
import { ownMicrotask } from "../util/own-timers.js";
import { DispatchedAttempt } from "./dispatched-attempt.js";
import { DEAD_AFTER_MS, type FleetParts, LOOK_MS } from "./fleet-parts.js";
import { oneAtATime } from "./one-at-a-time.js";

/** How often to ask whether the workers of open attempts live, milliseconds. */
const CHECK_MS = 2_000;
/** Rows of what has ended are removed this long after, with those of others; milliseconds. */
const SETTLE_MS = 200;
/** One that the database does not know was not sent yet, unless this much time has passed; milliseconds. */
const SENT_WITHIN_MS = 5_000;
/** Every so many checks what other processes have left behind is removed. */
const CHECKS_PER_SWEEP = 5;

/**
 * The attempts that this process has given to workers of one database.
 *
 * D1  A dispatch and its job are written in one transaction, after the commit that has started the attempt: a process
 *     that dies between the two leaves an attempt that the run's next owner closes as interrupted.
 * D2  A report is passed on once, in the order of its worker, and becomes part of the run by the run's own commit.
 * D3  An attempt whose worker is silent is taken from it before it is lost here: what that worker still says is refused.
 * D4  The rows of an attempt stay until its end is committed.
 */
export class DriverDispatches {
  readonly #parts: FleetParts;
  readonly #id = newOwnerId();
  readonly #open = new Map<string, { attempt: DispatchedAttempt; sinceMs: number }>();
  #unsent: DispatchedAttempt[] = [];
  #unwatch: (() => void) | undefined;
  #isSettling = false;
  #checks = 0;
  readonly #send = oneAtATime(() => this.#sendUnsent());
  readonly #read = oneAtATime(() => this.#readReports());

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  add(job: AttemptJob & { queue: string }, link: AttemptLink): AttemptHandle {
    const attempt = new DispatchedAttempt({ job, link }, this.#parts, () => this.#ended(attempt));
    this.#open.set(attempt.dispatch.id, { attempt, sinceMs: this.#parts.clock.now() });
    this.#unsent.push(attempt);
    // Those that begin in one turn go together.
    if (this.#unsent.length === 1) ownMicrotask(() => void this.#send());
    this.#unwatch ??= this.#watch();
    return attempt;
  }

  async #sendUnsent(): Promise<void> {
    const attempts = this.#unsent.filter(({ isOver }) => !isOver);
    this.#unsent = [];
    if (attempts.length === 0) return;
    const { fleet } = this.#parts;
    try {
      await fleet.prepare();
      const wanted = attempts.filter(({ isOver }) => !isOver);
      const sending = fleet.enqueue(
        this.#id,
        wanted.map(({ dispatch }) => dispatch),
      );
      for (const attempt of wanted) attempt.sent(sending);
      await sending;
    } catch (error) {
      for (const attempt of attempts) attempt.fail(keptError(error));
    }
  }

  #watch(): () => void {
    const { store, clock } = this.#parts;
    const news = { clock, everyMs: LOOK_MS, quietMs: LOOK_MS };
    const unsubscribe = onOutsideChange(store, news, () => void this.#read());
    let disarm = (): void => {};
    const arm = () => {
      disarm = clock.setDelay(CHECK_MS, () => void this.#check().finally(() => this.#unwatch && arm()));
    };
    arm();
    return () => {
      unsubscribe();
      disarm();
    };
  }

  async #readReports(): Promise<void> {
    if (this.#open.size === 0) return;
    const { fleet } = this.#parts;
    try {
      const passed: DispatchReport[] = [];
      for (const report of await fleet.reports(this.#id)) {
        const attempt = this.#open.get(report.dispatchId)?.attempt;
        attempt?.receive(report);
        // The last one stays until its outcome is committed.
        if (attempt !== undefined && !attempt.isOver) passed.push(report);
      }
      if (passed.length > 0) await fleet.dropReports(passed);
    } catch {
      // The database is away; what it has is read later.
    }
  }

  /** Finds out which workers are gone. */
  async #check(): Promise<void> {
    const { fleet, clock } = this.#parts;
    try {
      const standing = new Map((await fleet.standing(this.#id)).map((each) => [each.id, each]));
      // What a worker had said before it died.
      await this.#read();
      for (const [id, { attempt, sinceMs }] of [...this.#open]) {
        const stand = standing.get(id);
        if (stand?.isStranded === true) await fleet.queueAgain(id);
        const isDead = stand === undefined ? clock.now() - sinceMs > SENT_WITHIN_MS : isWorkerDead(stand);
        if (!isDead || (stand !== undefined && !(await fleet.end(id)))) continue;
        attempt.lose("the worker that had it is gone", stand !== undefined);
      }
      this.#checks += 1;
      if (this.#checks % CHECKS_PER_SWEEP === 0) await fleet.sweep();
    } catch {
      // The database is away, which says nothing about workers.
    }
  }

  #ended({ dispatch }: DispatchedAttempt): void {
    this.#open.delete(dispatch.id);
    if (!this.#isSettling) {
      this.#isSettling = true;
      this.#parts.clock.setDelay(SETTLE_MS, () => {
        this.#isSettling = false;
        this.#parts.fleet.settle(this.#id).catch(() => {});
      });
    }
    if (this.#open.size > 0) return;
    this.#unwatch?.();
    this.#unwatch = undefined;
  }
}

function isWorkerDead({ workerId, silentMs }: StandingDispatch): boolean {
  return workerId !== null && (silentMs > DEAD_AFTER_MS || ownerLiveness(workerId) === "dead");
}
