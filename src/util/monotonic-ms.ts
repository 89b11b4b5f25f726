const { hrtime } = process;

/**
 * Milliseconds since some moment, whatever is done to the clock; for lengths of time. It is Node's own
 * clock also where a test has replaced the timers, and `performance` would first have to be loaded.
 */
export function monotonicMs(): number {
  return Number(hrtime.bigint()) / 1e6;
}
