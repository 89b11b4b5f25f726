import { areRunsAtWork } from "../../engine/index.js";
import type { RunRow } from "../../model/run.js";
import { aloneForMs } from "./repeat-deaths.js";

/** Nothing is taken up for so long so that what is at work can come to rest, milliseconds; then for as long as usual. */
const DRAIN_MS = 30_000;

/**
 * Which runs may begin beside others in this process. One that has lost several processes would perhaps end this one
 * too, so it waits until nothing is at work, and nothing is taken up beside it for a while.
 *
 * A process dies as a whole: there is one for all hosts and supervisors in it. A run that a caller starts or resumes by name
 * is not kept waiting; it is recorded that the run was not alone then.
 */
export class Admission {
  readonly #areRunsAtWork: () => boolean;
  #admitted = 0;
  #alone: { untilMs: number } | null = null;
  #drainSinceMs = Number.NEGATIVE_INFINITY;

  /** @param atWork whether any run is, of callers that do not come here too */
  constructor(atWork: () => boolean) {
    this.#areRunsAtWork = atWork;
  }

  /** Whether a run that has lost no processes may begin. */
  isOpen(nowMs: number): boolean {
    if (this.#alone !== null) return nowMs >= this.#alone.untilMs;
    return nowMs - this.#drainSinceMs >= DRAIN_MS;
  }

  /** A run begins. Returns what ends that; undefined where it has to wait. */
  enter(run: Pick<RunRow, "deaths" | "ownerId" | "heartbeatAtMs">, nowMs: number): (() => void) | undefined {
    const aloneMs = aloneForMs(run);
    if (aloneMs === null) return this.isOpen(nowMs) ? this.enterAsAsked() : undefined;
    if (this.#alone !== null) return undefined;
    if (this.#admitted > 0 || this.#areRunsAtWork()) {
      if (nowMs - this.#drainSinceMs >= 2 * DRAIN_MS) this.#drainSinceMs = nowMs;
      return undefined;
    }
    const alone = { untilMs: nowMs + aloneMs };
    this.#alone = alone;
    this.#drainSinceMs = Number.NEGATIVE_INFINITY;
    return () => {
      if (this.#alone === alone) this.#alone = null;
    };
  }

  /** A run begins whatever else is at work. Returns what ends that. */
  enterAsAsked(): () => void {
    this.#admitted += 1;
    let isInside = true;
    return () => {
      if (isInside) this.#admitted -= 1;
      isInside = false;
    };
  }
}

export const admission = new Admission(areRunsAtWork);
