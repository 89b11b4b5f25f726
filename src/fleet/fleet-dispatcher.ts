import type {
  AttemptHandle,
  AttemptJob,
  AttemptLink,
  AttemptReport,
  LeftAttempt,
  MountedRun,
  ScoreJob,
  ScoreOutcome,
  TaskDispatcher,
} from "../engine/index.js";
import type { Dispatch } from "../store/index.js";
import type { QueuedJob } from "./dispatched-attempt.js";
import { DriverDispatches } from "./driver-dispatches.js";
import type { FleetParts } from "./fleet-parts.js";

/** Of the processes that drive runs here, one for each database. */
const known = new WeakMap<object, DriverDispatches>();

/**
 * Leaves tasks of a queue to the workers of that queue; the others, all scorers, and those of the common queue where no
 * other process serves it, work in this process.
 */
export class FleetDispatcher implements TaskDispatcher {
  readonly #local: TaskDispatcher;
  readonly #parts: FleetParts;

  constructor(local: TaskDispatcher, parts: FleetParts) {
    this.#local = local;
    this.#parts = parts;
  }

  async enlist(jobs: readonly AttemptJob[]): Promise<readonly Dispatch[]> {
    return this.#dispatches.enlist(jobs.filter(isQueued));
  }

  async leftBehind(runId: string, code: string): Promise<readonly LeftAttempt[]> {
    try {
      return (await this.#parts.fleet.leftReports(runId)).map(({ bodies, code: own, ...place }) => {
        const reports = bodies.map((body) => JSON.parse(body) as AttemptReport);
        return { ...place, reports, hasEnded: own === code && isOutcome(reports.at(-1)) };
      });
    } catch {
      // The database is away; the attempts are interrupted, as those of a process that has died.
      return [];
    }
  }

  dispatch(job: AttemptJob, link: AttemptLink, run: MountedRun): AttemptHandle {
    const here = () => this.#local.dispatch(job, link, run);
    return isQueued(job) ? this.#dispatches.add(job, link, here) : here();
  }

  score(job: ScoreJob): Promise<ScoreOutcome> {
    return this.#local.score(job);
  }

  get #dispatches(): DriverDispatches {
    const { fleet } = this.#parts;
    const dispatches = known.get(fleet) ?? new DriverDispatches(this.#parts);
    known.set(fleet, dispatches);
    return dispatches;
  }
}

/** By itself: not lost with its worker, and not to wait for something. */
function isOutcome(last: AttemptReport | undefined): boolean {
  return last?.type === "completed" && ["finished", "failed", "skipped"].includes(last.outcome.kind);
}

function isQueued(job: AttemptJob): job is QueuedJob {
  return job.queue !== null;
}
