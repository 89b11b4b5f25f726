import type { Clock } from "./clock.js";
import { monotonicMs } from "./monotonic-ms.js";
import { ownImmediate } from "./own-timers.js";

/** After work that took less, nothing is left waiting for it. */
const SHORT_MS = 20;

/**
 * Work that may keep the whole process busy: one piece after the other, and after a long one a rest of the same
 * length, which belongs to everything else. However much is asked for, it gets half of the time.
 */
export class OneAtATime {
  readonly #clock: Clock;
  readonly #most: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param most pieces that may wait */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#waiting >= this.#most;
  }

  /** Runs the work and returns its result. Pieces are not stopped once they have begun. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let end: () => void = () => {};
    this.#last = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#waiting += 1;
    await before;
    this.#waiting -= 1;
    const begunMs = monotonicMs();
    try {
      return await work();
    } finally {
      // Who has asked gets to do its part, such as writing the answer out, which is as long as the work.
      ownImmediate(() => this.#rest(begunMs, end));
    }
  }

  #rest(begunMs: number, end: () => void): void {
    const tookMs = monotonicMs() - begunMs;
    if (tookMs < SHORT_MS) end();
    else this.#clock.setDelay(tookMs, end);
  }
}
