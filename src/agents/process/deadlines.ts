import type { Clock } from "../../util/clock.js";

export interface DeadlineOptions {
  clock: Clock;
  /** From now on, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Between two signs of life, in milliseconds. */
  idleTimeoutMs?: number | undefined;
  onExpired(kind: "timeout" | "idle"): void;
}

/** The hard and the idle time limit of a process. Signs of life are cheap: they set no timer. */
export class Deadlines {
  readonly #options: DeadlineOptions;
  #lastSignAt: number;
  #disarmHard: (() => void) | undefined;
  #disarmIdle: (() => void) | undefined;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    const { clock, timeoutMs, idleTimeoutMs, onExpired } = options;
    this.#lastSignAt = clock.now();
    if (timeoutMs !== undefined) {
      this.#disarmHard = clock.setDelay(timeoutMs, () => onExpired("timeout"));
    }
    if (idleTimeoutMs !== undefined) this.#armIdle(idleTimeoutMs);
  }

  signOfLife(): void {
    this.#lastSignAt = this.#options.clock.now();
  }

  stop(): void {
    this.#disarmHard?.();
    this.#disarmIdle?.();
  }

  #armIdle(delayMs: number): void {
    const { clock, idleTimeoutMs = 0, onExpired } = this.#options;
    this.#disarmIdle = clock.setDelay(delayMs, () => {
      const remaining = this.#lastSignAt + idleTimeoutMs - clock.now();
      // More than the whole limit remains only when the clock was set back.
      if (remaining > 0) this.#armIdle(Math.min(remaining, idleTimeoutMs));
      else onExpired("idle");
    });
  }
}
