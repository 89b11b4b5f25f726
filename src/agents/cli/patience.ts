import type { Clock } from "../../util/clock.js";
import { parseDuration } from "../../util/duration.js";
import type { FailureKind } from "./failure-patterns.js";

/** Refusals that another try within the call hardly changes. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(["quota", "auth", "transient"]);
/** Of these the reason must not be lost behind a time limit of the call. */
const BEFORE_TIME_LIMIT: ReadonlySet<FailureKind> = new Set(["quota", "auth"]);
/** Part of the call's time limit after which a refusal is reported rather than the time limit. */
const MOST_OF_THE_TIME = 0.9;

export interface PatienceOptions {
  clock: Clock;
  /** Milliseconds; `Infinity` = the tool may try for ever. */
  patienceMs: number;
  /** Time limit of the call in milliseconds, from now on. */
  timeoutMs: number | undefined;
}

/**
 * Ends the call of a tool that only repeats a refused request. Begins with the first refusal that the
 * tool tells after it got on, and is over when it gets on again.
 */
export class Patience {
  readonly #options: PatienceOptions;
  readonly #end = new AbortController();
  readonly #lateAtMs: number;
  #disarm: (() => void) | undefined;

  constructor(options: PatienceOptions) {
    this.#options = options;
    const { clock, timeoutMs = Number.POSITIVE_INFINITY } = options;
    this.#lateAtMs = clock.now() + timeoutMs * MOST_OF_THE_TIME;
  }

  /** Fires when it is over. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  refused(kind: FailureKind | undefined): void {
    if (kind === undefined || !REFUSALS.has(kind) || this.#disarm !== undefined) return;
    const { clock, patienceMs } = this.#options;
    const left = BEFORE_TIME_LIMIT.has(kind) ? this.#lateAtMs - clock.now() : Number.POSITIVE_INFINITY;
    const waitMs = Math.max(0, Math.min(patienceMs, left));
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#disarm = clock.setDelay(waitMs, () => this.#end.abort());
  }

  gotOn(): void {
    this.#disarm?.();
    this.#disarm = undefined;
  }
}

/** Milliseconds of what the options say, which has been checked. */
export function patienceMsOf(quotaPatience: string | number): number {
  return quotaPatience === Number.POSITIVE_INFINITY ? quotaPatience : (parseDuration(quotaPatience) ?? 0);
}
