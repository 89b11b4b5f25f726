/**
 * Time as an argument. Everything that reads the time or waits for it takes a
 * {@link Clock}, so tests can run weeks in milliseconds.
 */
export interface Clock {
  /** Epoch milliseconds. Goes back when the machine's clock is set back. */
  now(): number;
  /**
   * Calls `fire` once when `now() >= atMs`. Returns a function that disarms it.
   * A pending timer of the system clock keeps the process alive.
   */
  setTimer(atMs: number, fire: () => void): () => void;
  /**
   * Calls `fire` once after `ms` milliseconds, whatever the calendar does meanwhile:
   * for what a process does regularly, and for grace periods. Else like `setTimer`.
   */
  setDelay(ms: number, fire: () => void): () => void;
}

/**
 * A point in time is looked for at least this often: `setTimeout` knows nothing of a
 * clock that was set forward, nor of the hours a machine slept.
 */
const LONGEST_SLICE_MS = 60_000;
/** `setTimeout` takes a longer one for none at all, and fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A clock that goes by `now`, epoch milliseconds. */
export function clockOf(now: () => number): Clock {
  return {
    now,
    setTimer(atMs, fire) {
      let handle: NodeJS.Timeout;
      const arm = () => {
        const remaining = atMs - now();
        handle = setTimeout(
          () => (now() >= atMs ? fire() : arm()),
          Math.max(0, Math.min(remaining, LONGEST_SLICE_MS)),
        );
      };
      arm();
      return () => clearTimeout(handle);
    },
    setDelay(ms, fire) {
      let handle: NodeJS.Timeout;
      const arm = (leftMs: number) => {
        const slice = Math.min(leftMs, LONGEST_TIMEOUT_MS);
        handle = setTimeout(() => (leftMs > slice ? arm(leftMs - slice) : fire()), slice);
      };
      arm(ms);
      return () => clearTimeout(handle);
    },
  };
}

/** The machine's clock. */
export const systemClock: Clock = clockOf(() => Date.now());
