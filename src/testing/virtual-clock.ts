import type { Clock } from "../util/clock.js";
import { Heap } from "../util/heap.js";

interface Timer {
  readonly atMs: number;
  readonly order: number;
  fire: (() => void) | null;
}

/** A clock that moves only when it is told to. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Heap<Timer>((a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order));

  /** @param startMs epoch milliseconds; default 2026-01-01T00:00:00Z */
  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  setTimer(atMs: number, fire: () => void): () => void {
    const timer: Timer = { atMs, order: this.#order, fire };
    this.#order += 1;
    this.#timers.push(timer);
    return () => {
      timer.fire = null;
    };
  }

  /** Epoch ms of the next armed timer; undefined without one. */
  nextTimer(): number | undefined {
    for (let top = this.#timers.peek(); top !== undefined; top = this.#timers.peek()) {
      if (top.fire !== null) return top.atMs;
      this.#timers.pop();
    }
    return undefined;
  }

  /** Moves to `atMs` and fires every timer that is due, in order. Also backwards: then nothing fires. */
  moveTo(atMs: number): void {
    this.#now = atMs;
    for (let due = this.nextTimer(); due !== undefined && due <= atMs; due = this.nextTimer()) {
      const fire = this.#timers.pop()?.fire;
      fire?.();
    }
  }
}
