import type { Clock } from "../util/clock.js";
import { Heap } from "../util/heap.js";

interface Timer {
  readonly atMs: number;
  readonly order: number;
  fire: (() => void) | null;
}

/** A clock that moves only by `advance` and the like. */
export class VirtualClock implements Clock {
  #now: number;
  /** Milliseconds that have passed, which setting the clock back does not undo. */
  #passed = 0;
  #order = 0;
  /** By the calendar. */
  readonly #timers = new Heap<Timer>(precedes);
  /** By what has passed. */
  readonly #delays = new Heap<Timer>(precedes);

  /** @param startMs epoch milliseconds; default 2026-01-01T00:00:00Z */
  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  setTimer(atMs: number, fire: () => void): () => void {
    return this.#arm(this.#timers, { atMs, fire });
  }

  setDelay(ms: number, fire: () => void): () => void {
    return this.#arm(this.#delays, { atMs: this.#passed + ms, fire });
  }

  /** Epoch ms of the next armed timer or delay; undefined without one. */
  nextTimer(): number | undefined {
    return this.#next()?.atMs;
  }

  /** Moves to `atMs` and fires every timer that is due, in order. Also backwards: then nothing fires. */
  moveTo(atMs: number): void {
    this.#passed += Math.max(0, atMs - this.#now);
    this.#now = atMs;
    for (let due = this.#next(); due !== undefined && due.atMs <= atMs; due = this.#next()) {
      const { fire } = due.timer;
      due.timer.fire = null;
      fire?.();
    }
  }

  #arm(heap: Heap<Timer>, { atMs, fire }: Pick<Timer, "atMs" | "fire">): () => void {
    const timer: Timer = { atMs, order: this.#order, fire };
    this.#order += 1;
    heap.push(timer);
    return () => {
      timer.fire = null;
    };
  }

  /** The armed timer or delay that comes first, and when, in epoch ms. */
  #next(): { atMs: number; timer: Timer } | undefined {
    const timer = firstArmed(this.#timers);
    const delay = firstArmed(this.#delays);
    if (delay === undefined) return timer && { atMs: timer.atMs, timer };
    const atMs = delay.atMs - this.#passed + this.#now;
    if (timer !== undefined && precedes(timer, { ...delay, atMs })) return { atMs: timer.atMs, timer };
    return { atMs, timer: delay };
  }
}

function precedes(a: Timer, b: Timer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function firstArmed(heap: Heap<Timer>): Timer | undefined {
  for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
    if (top.fire !== null) return top;
    heap.pop();
  }
  return undefined;
}
