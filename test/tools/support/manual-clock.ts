import type { Clock } from "../../../src/util/clock.js";

/** A clock that stands still until it is moved. */
export function manualClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  const timers = new Set<{ atMs: number; fire: () => void }>();
  const setTimer: Clock["setTimer"] = (atMs, fire) => {
    const timer = { atMs, fire };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    now: () => now,
    setTimer,
    setDelay: (ms, fire) => setTimer(now + ms, fire),
    advance(ms) {
      now += ms;
      for (const timer of [...timers]) {
        if (timer.atMs > now) continue;
        timers.delete(timer);
        timer.fire();
      }
    },
  };
}
