import type { Clock } from "../../util/clock.js";
import { type Deferred, deferred } from "../../util/deferred.js";
import { ownImmediate } from "../../util/own-timers.js";

/** Text and progress may wait this long for company; results and decisions never wait. */
const LAZY_MS = 100;

/**
 * Where everything that happens to a run arrives. Whatever arrives within one
 * turn of the event loop is handed out together, so that it is committed together.
 */
export class Mailbox<T> {
  readonly #clock: Clock;
  #messages: T[] = [];
  #waiting: Deferred<T[]> | null = null;
  #scheduled = false;
  /** A message waits that is not content with the next turn that comes. */
  #isDue = false;
  #disarmLazy: (() => void) | null = null;
  #turn = 0;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Changes when messages are handed out: until then what was posted can still be added to. */
  get turn(): number {
    return this.#turn;
  }

  post(message: T): void {
    if (this.#closed) return;
    this.#messages.push(message);
    this.#isDue = true;
    this.#schedule();
  }

  /** For messages that need no answer: they wait for the next turn, or a short while. */
  postLazily(message: T): void {
    if (this.#closed) return;
    this.#messages.push(message);
    this.#isDue = true;
    if (this.#scheduled || this.#disarmLazy !== null) return;
    this.#disarmLazy = this.#clock.setDelay(LAZY_MS, () => {
      this.#disarmLazy = null;
      this.#schedule();
    });
  }

  /** For what is taken whenever something else is, at the latest the end of what it is about. */
  postAlong(message: T): void {
    if (!this.#closed) this.#messages.push(message);
  }

  /** Wakes the reader although there may be nothing to read: a deadline has come. */
  wake(): void {
    this.#schedule();
  }

  /** The messages of the next turn; possibly none after a wake. */
  next(): Promise<T[]> {
    this.#waiting = deferred<T[]>();
    if (this.#isDue && this.#disarmLazy === null) this.#schedule();
    return this.#waiting.promise;
  }

  /** Ends reading: messages that still arrive, of a task that ignores its signal say, are dropped. */
  close(): void {
    this.#closed = true;
    this.#messages = [];
    this.#disarmLazy?.();
    this.#disarmLazy = null;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After the microtasks of this turn: promises that settle together arrive together.
    ownImmediate(() => {
      this.#scheduled = false;
      const waiting = this.#waiting;
      if (waiting === null) return;
      this.#waiting = null;
      this.#disarmLazy?.();
      this.#disarmLazy = null;
      const messages = this.#messages;
      this.#messages = [];
      this.#isDue = false;
      this.#turn += 1;
      waiting.resolve(messages);
    });
  }
}
