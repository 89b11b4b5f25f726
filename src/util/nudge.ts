import type { Clock } from "./clock.js";
import { ownMicrotask } from "./own-timers.js";

/** Wakes one waiter early; a nudge without a waiter is kept for the next one. */
export class Nudge {
  #wake: (() => void) | undefined;
  #isMissed = false;
  #due: { atMs: number; disarm: () => void } | undefined;
  #isClosed = false;

  nudge(): void {
    if (this.#wake === undefined) this.#isMissed = true;
    else this.#wake();
  }

  /** Nudges at this time, epoch milliseconds; of several the earliest counts, the others are up to who was nudged. */
  nudgeAt(atMs: number, clock: Clock): void {
    if (this.#isClosed || (this.#due !== undefined && this.#due.atMs <= atMs)) return;
    this.#due?.disarm();
    const disarm = clock.setTimer(atMs, () => {
      this.#due = undefined;
      this.nudge();
    });
    this.#due = { atMs, disarm };
  }

  /** A time that is set, now or later, has no effect any more. */
  close(): void {
    this.#isClosed = true;
    this.#due?.disarm();
  }

  /** Calls back at the next nudge, or at once for one that was missed. Returns how to stop waiting. */
  wait(wake: () => void): () => void {
    if (this.#isMissed) {
      this.#isMissed = false;
      ownMicrotask(wake);
      return () => {};
    }
    this.#wake = wake;
    return () => {
      if (this.#wake === wake) this.#wake = undefined;
    };
  }

  /** Resolves with the next nudge, or when the signal fires. */
  next(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const forget = this.wait(done);
      function done() {
        forget();
        signal?.removeEventListener("abort", done);
        resolve();
      }
      signal?.addEventListener("abort", done, { once: true });
      if (signal?.aborted === true) done();
    });
  }
}
