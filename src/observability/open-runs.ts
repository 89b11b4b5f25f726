import { serviceMetrics } from "../metrics/catalog.js";
import { type Load, OpenRun } from "./open-run.js";

/** The runs that this process drives, each by its `runKey`. */
export class OpenRuns {
  readonly #runs = new Map<string, OpenRun>();
  #queued = 0;
  #running = 0;
  #slots = 0;

  /** Runs that are remembered. */
  get size(): number {
    return this.#runs.size;
  }

  of(key: string): OpenRun {
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const run = new OpenRun();
    this.#runs.set(key, run);
    return run;
  }

  /** The run has ended, or this process drives it no longer. */
  drop(key: string): void {
    this.setLoad(key, null);
    this.#runs.get(key)?.suspend();
    this.#runs.delete(key);
  }

  /** Null when the run is not driven here any more. */
  setLoad(key: string, load: Load | null): void {
    const run = this.#runs.get(key);
    if (run === undefined) return;
    const before = run.load;
    run.load = load;
    this.#queued += (load?.queued ?? 0) - (before?.queued ?? 0);
    this.#running += (load?.running ?? 0) - (before?.running ?? 0);
    this.#slots += (load?.slots ?? 0) - (before?.slots ?? 0);
    serviceMetrics.schedulerQueueDepth.set(this.#queued);
    serviceMetrics.schedulerConcurrencyUtilization.set(this.#slots === 0 ? 0 : this.#running / this.#slots);
  }
}
