import type {
  AttemptHandle,
  AttemptJob,
  AttemptLink,
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

/** Leaves tasks that name a queue to the workers of that queue; the others, and all scorers, work in this process. */
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

  dispatch(job: AttemptJob, link: AttemptLink, run: MountedRun): AttemptHandle {
    return isQueued(job) ? this.#dispatches.add(job, link) : this.#local.dispatch(job, link, run);
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

function isQueued(job: AttemptJob): job is QueuedJob {
  return job.queue !== null;
}
