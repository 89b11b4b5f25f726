import { type Clock, clockOf } from "../../util/clock.js";
import { monotonicMs } from "../../util/monotonic-ms.js";

/** Milliseconds after which the server is asked again. */
const GOOD_FOR_MS = 30_000;
/** What the machine's clock and that of the server may differ by, milliseconds: no lease hangs on it. */
const TOLERANCE_MS = 250;
/** The machine's clock was set, or the machine slept, when it has gone so much more or less than time has, milliseconds. */
const JUMP_MS = 1_000;

/** The server's time, epoch ms. */
export const SERVER_NOW = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8";

interface Measure {
  /** The machine's clock at the time, epoch ms. */
  readonly machineMs: number;
  readonly monotonicMs: number;
}

/** By database. An entry is kept alive by the handles that use it. */
const shared = new Map<string, WeakRef<ServerClock>>();

/**
 * What time it is on the server of a database. Machines that share one go by it, since their own clocks
 * may differ by hours: whose lease has run out, which timer is due.
 *
 * C1  It is the machine's clock and what the server is ahead of it, as it was measured last.
 * C2  A machine's clock that was set since is not believed: time goes on from the last measure until the next one.
 * C3  As long as both agree within the tolerance, it is the machine's clock to the millisecond.
 */
export class ServerClock implements Clock {
  readonly setTimer: Clock["setTimer"];
  readonly setDelay: Clock["setDelay"];
  #leadMs = 0;
  #measure: Measure | undefined;
  #measuring: Promise<void> | undefined;

  constructor() {
    const { setTimer, setDelay } = clockOf(() => this.now());
    this.setTimer = setTimer;
    this.setDelay = setDelay;
  }

  /** That of a database; each of the process's handles of it goes by it. */
  static of(path: string): ServerClock {
    const known = shared.get(path)?.deref();
    if (known !== undefined) return known;
    const clock = new ServerClock();
    shared.set(path, new WeakRef(clock));
    return clock;
  }

  now(): number {
    const machineMs = Date.now();
    const passedMs = this.#passedMs();
    if (this.#measure === undefined || !this.#hasJumped(machineMs, passedMs)) return machineMs + this.#leadMs;
    return this.#measure.machineMs + Math.floor(passedMs) + this.#leadMs;
  }

  /** Whether the server has to be asked before anything is decided by this clock. */
  get isOld(): boolean {
    const passedMs = this.#passedMs();
    return passedMs > GOOD_FOR_MS || this.#hasJumped(Date.now(), passedMs);
  }

  /** Asks the server; of several who want that at once, one does. Never rejects: the statement that comes after it finds out what is wrong. */
  settle(askServer: () => Promise<number>): Promise<void> {
    this.#measuring ??= this.#ask(askServer).finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #ask(askServer: () => Promise<number>): Promise<void> {
    const askedAt = monotonicMs();
    let serverMs: number;
    try {
      serverMs = await askServer();
    } catch {
      return;
    }
    const measure = { machineMs: Date.now(), monotonicMs: monotonicMs() };
    // The server looked at its clock at some time between the question and the answer.
    const leastMs = serverMs - measure.machineMs;
    const mostMs = leastMs + measure.monotonicMs - askedAt;
    const isRight = (leadMs: number) => leadMs >= leastMs - TOLERANCE_MS && leadMs <= mostMs + TOLERANCE_MS;
    if (isRight(0)) this.#leadMs = 0;
    else if (!isRight(this.#leadMs)) this.#leadMs = Math.round((leastMs + mostMs) / 2);
    this.#measure = measure;
  }

  /** Since the last measure. */
  #passedMs(): number {
    return this.#measure === undefined ? Number.POSITIVE_INFINITY : monotonicMs() - this.#measure.monotonicMs;
  }

  #hasJumped(machineMs: number, passedMs: number): boolean {
    const { machineMs: measuredMs } = this.#measure ?? { machineMs };
    return Math.abs(machineMs - measuredMs - passedMs) > JUMP_MS;
  }
}
