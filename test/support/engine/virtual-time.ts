import { VirtualClock } from "../../../src/testing/virtual-clock.js";

/** Turns of the event loop after which nothing more follows without time. */
const QUIET_TURNS = 12;

/** Work that waits for no timer may wait for the machine: it reads files, it looks for processes. */
const IO_ROUND_MS = 5;
const MOST_IDLE_ROUNDS = 1_000;

/** Lets everything happen that needs no time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

/**
 * A clock that a test moves. Timers fire one moment after the other, and what each
 * sets off happens in between. It starts at the machine's time, which is what
 * operations of other processes go by.
 */
export class VirtualTime extends VirtualClock {
  constructor() {
    super(Date.now());
  }

  /** Lets `ms` pass. */
  async advance(ms: number): Promise<void> {
    const until = this.now() + ms;
    await settle();
    for (let next = this.nextTimer(); next !== undefined && next <= until; next = this.nextTimer()) {
      this.moveTo(next);
      await settle();
    }
    this.moveTo(until);
    await settle();
  }

  /** Lets as much time pass as `work` needs, at most a day. */
  async until<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    const limit = this.now() + 86_400_000;
    await settle();
    for (let idle = 0; !ended; ) {
      const next = this.nextTimer();
      if (next === undefined || next > limit) {
        if (idle === MOST_IDLE_ROUNDS) throw new Error("It does not end by itself within a day.");
        idle += 1;
        await new Promise((resolve) => setTimeout(resolve, IO_ROUND_MS));
        continue;
      }
      idle = 0;
      this.moveTo(next);
      await settle();
    }
    return work;
  }

  /** The machine slept: `ms` are over at once, and every timer fires late. */
  async sleepThrough(ms: number): Promise<void> {
    await settle();
    this.moveTo(this.now() + ms);
    await settle();
  }

  /** For tasks that take time. Rejects with the signal's reason when it fires. */
  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const disarm = this.setTimer(this.now() + ms, resolve);
      signal?.addEventListener("abort", () => {
        disarm();
        reject(signal.reason);
      });
    });
  }
}
