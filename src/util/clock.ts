/**
 * Time as an argument. Everything that reads the time or waits for it takes a
 * {@link Clock}, so tests can run weeks in milliseconds.
 */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Calls `fire` once when `now() >= atMs`. Returns a function that disarms it.
   * A pending timer of the system clock keeps the process alive.
   */
  setTimer(atMs: number, fire: () => void): () => void;
}

/** setTimeout overflows above this and would fire at once. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(atMs, fire) {
    let handle: NodeJS.Timeout;
    const arm = () => {
      const remaining = atMs - Date.now();
      // Long waits are armed in slices; each slice looks at the clock again.
      handle = setTimeout(
        () => (Date.now() >= atMs ? fire() : arm()),
        Math.max(0, Math.min(remaining, LONGEST_TIMEOUT_MS)),
      );
    };
    arm();
    return () => clearTimeout(handle);
  },
};
