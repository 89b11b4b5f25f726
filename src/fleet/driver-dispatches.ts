import type { SerializedError } from "../errors/ensure-error.js";
import { type AttemptHandle, type AttemptLink, keptError } from "../engine/index.js";
import { newOwnerId } from "../process/owner.js";
import {
  type Dispatch,
  type DispatchReport,
  onOutsideChange,
  type StandingDispatch,
} from "../store/index.js";
import { newId } from "../util/ids.js";
import { DispatchedAttempt, type QueuedJob } from "./dispatched-attempt.js";
import { type FleetParts, isAway, LOOK_MS } from "./fleet-parts.js";
import { coalesced } from "./coalesced.js";
import { COMMON_QUEUE, isGone, servedElsewhere } from "./serving-workers.js";

/** How often to ask whether the workers of open attempts live, milliseconds. */
const CHECK_MS = 2_000;
/** Rows of what has ended are removed this long after, with those of others; milliseconds. */
const SETTLE_MS = 200;
/** Every so many checks what other processes have left behind is removed. */
const CHECKS_PER_SWEEP = 5;

type Enlisted = { readonly dispatch: Dispatch } | { readonly error: SerializedError };

const NOT_BEGUN: AttemptHandle = { abort() {}, handOver() {} };

/**
 * The attempts that this process has given to workers of one database.
 *
 * D1  A dispatch and its job are written by the commit that starts the attempt: neither is there without the other.
 * D2  A report is passed on once, in the order of its worker, and becomes part of the run by the run's own commit.
 * D3  An attempt whose worker is silent is taken from it before it is lost here: what that worker still says is refused.
 * D4  The rows of an attempt stay until its end is committed.
 * D5  An attempt is executed in place once its dispatch is gone, or never was there: no worker can have it as well.
 */
export class DriverDispatches {
  readonly #parts: FleetParts;
  readonly #id = newOwnerId();
  readonly #open = new Map<string, DispatchedAttempt>();
  /** What the commits of attempts were given for them. */
  readonly #enlisted = new WeakMap<QueuedJob, Enlisted>();
  #unwatch: (() => void) | undefined;
  #isSettling = false;
  #checks = 0;
  readonly #read = coalesced(() => this.#readReports());

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  /**
   * For the commit that starts the attempts: those that are for workers. Empty where there is no queue: they fail once
   * they have started.
   * @throws DB_CONNECTION_LOST, DB_BUSY nothing of this commit is to be written
   */
  async enlist(started: readonly QueuedJob[]): Promise<readonly Dispatch[]> {
    const jobs = await this.#forWorkers(started);
    if (jobs.length === 0) return [];
    try {
      const queues = await this.#parts.fleet.prepare();
      return jobs.map((job) => {
        const { runId, nodeId, iteration, attempt, epoch, nextSeq, queue, code } = job;
        const about = { runId, nodeId, iteration, attempt, epoch, nextSeq, queue, code };
        const dispatch = { ...about, id: newId(), driverId: this.#id, queues, job: JSON.stringify(job) };
        this.#enlisted.set(job, { dispatch });
        return dispatch;
      });
    } catch (error) {
      // The run can go on from where it is.
      if (isAway(error)) throw error;
      for (const job of jobs) this.#enlisted.set(job, { error: keptError(error) });
      return [];
    }
  }

  /**
   * The attempt's commit is kept. `here` executes it in place: at once where it was not enlisted, or later where it is
   * taken back.
   */
  add(job: QueuedJob, link: AttemptLink, here: () => AttemptHandle): AttemptHandle {
    const enlisted = this.#enlisted.get(job);
    if (enlisted === undefined) return here();
    if ("error" in enlisted) {
      link.report({ type: "completed", outcome: { kind: "failed", error: enlisted.error, record: {} } });
      return NOT_BEGUN;
    }
    const { dispatch } = enlisted;
    const onEnd = () => this.#ended(dispatch.id);
    const attempt = new DispatchedAttempt({ dispatch, link, here, onEnd }, this.#parts);
    this.#open.set(dispatch.id, attempt);
    this.#unwatch ??= this.#watch();
    return attempt;
  }

  /** Without those of the common queue that no other process serves. */
  async #forWorkers(jobs: readonly QueuedJob[]): Promise<readonly QueuedJob[]> {
    if (!jobs.some(({ queue }) => queue === COMMON_QUEUE)) return jobs;
    // The database is away: the commit of these attempts will say so.
    const isServed = await servedElsewhere(this.#parts.fleet, this.#id).catch(() => () => false);
    return jobs.filter((job) => job.queue !== COMMON_QUEUE || isServed(job));
  }

  #watch(): () => void {
    const { store, fleet, clock } = this.#parts;
    const news = { clock, everyMs: LOOK_MS, quietMs: LOOK_MS };
    const read = () => void this.#read();
    const unsubscribes = [onOutsideChange(store, news, read), fleet.onOwn("report", read)];
    let disarm = (): void => {};
    const arm = () => {
      disarm = clock.setDelay(CHECK_MS, () => void this.#check().finally(() => this.#unwatch && arm()));
    };
    arm();
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      disarm();
    };
  }

  async #readReports(): Promise<void> {
    if (this.#open.size === 0) return;
    const { fleet } = this.#parts;
    try {
      const byDispatch = new Map<string, DispatchReport[]>();
      for (const report of await fleet.reports(this.#id)) {
        const { dispatchId } = report;
        const known = byDispatch.get(dispatchId);
        if (known === undefined) byDispatch.set(dispatchId, [report]);
        else known.push(report);
      }
      for (const [id, reports] of byDispatch) this.#open.get(id)?.receive(reports);
    } catch {
      // The database is away; what it has is read later.
    }
  }

  /** Finds out which workers are gone. */
  async #check(): Promise<void> {
    const { fleet } = this.#parts;
    // Those that begin while the database is asked are not in its answer.
    const open = [...this.#open];
    try {
      const standing = new Map((await fleet.standing(this.#id)).map((each) => [each.id, each]));
      // What a worker had said before it died.
      await this.#read();
      // No worker that serves the common queue may be left to take what is in it.
      const isServed = open.some(([, { isCommon }]) => isCommon)
        ? await servedElsewhere(fleet, this.#id)
        : () => true;
      for (const [id, attempt] of open) {
        const stand = standing.get(id);
        if (
          stand?.workerId === null &&
          attempt.isCommon &&
          !isServed(attempt) &&
          (await fleet.withdraw(id))
        ) {
          attempt.takeBack();
          continue;
        }
        if (stand?.isStranded === true) await fleet.queueAgain(id);
        if (stand !== undefined && !(isWorkerDead(stand) && (await fleet.end(id)))) continue;
        attempt.lose("the worker that had it is gone", stand !== undefined);
      }
      this.#checks += 1;
      if (this.#checks % CHECKS_PER_SWEEP === 0) await fleet.sweep();
    } catch {
      // The database is away, which says nothing about workers.
    }
  }

  #ended(dispatchId: string): void {
    this.#open.delete(dispatchId);
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
  return workerId !== null && isGone(workerId, silentMs);
}
