import type { Clock } from "./clock.js";
import type { Nudge } from "./nudge.js";

/** Waits for a length of time, milliseconds, or until the signal fires or a nudge comes. */
export function pause(
  clock: Clock,
  ms: number,
  { signal, nudge }: { signal?: AbortSignal | undefined; nudge?: Nudge | undefined } = {},
): Promise<void> {
  return new Promise((resolve) => {
    const disarm = clock.setDelay(ms, done);
    const forget = nudge?.wait(done);
    function done() {
      disarm();
      forget?.();
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted === true) done();
  });
}
