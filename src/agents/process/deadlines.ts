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
    const now = clock.now();
    this.#lastSignAt = now;
    if (timeoutMs !== undefined) {
      this.#disarmHard = clock.setTimer(now + timeoutMs, () => onExpired("timeout"));
    }
    if (idleTimeoutMs !== undefined) this.#armIdle(now + idleTimeoutMs);
  }

  signOfLife(): void {
    this.#lastSignAt = this.#options.clock.now();
  }

  stop(): void {
    this.#disarmHard?.();
    this.#disarmIdle?.();
  }

  #armIdle(atMs: number): void {
    const { clock, idleTimeoutMs = 0, onExpired } = this.#options;
    this.#disarmIdle = clock.setTimer(atMs, () => {
      const due = this.#lastSignAt + idleTimeoutMs;
      if (due > clock.now()) this.#armIdle(due);
      else onExpired("idle");
    });
  }
}
