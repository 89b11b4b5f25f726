import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/util/clock.js";

const DAY_MS = 86_400_000;
/** The longest delay that setTimeout takes: 2^31 - 1 ms, a little under 25 days. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

describe("systemClock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  });
  afterEach(() => {
    // First: a watched function would be put back as the one of the virtual time.
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("tells epoch milliseconds", () => {
    expect(systemClock.now()).toBe(Date.UTC(2030, 0, 1));
  });

  it("fires a timer once, at its time and not before", () => {
    const fire = vi.fn();
    systemClock.setTimer(systemClock.now() + 1_000, fire);
    vi.advanceTimersByTime(999);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("fires a timer that is already due in a later turn, never inside setTimer", () => {
    const fire = vi.fn();
    systemClock.setTimer(systemClock.now() - 5, fire);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it.each([30, 90])("fires a timer of %i days at its time and not before", (days) => {
    const fire = vi.fn();
    systemClock.setTimer(systemClock.now() + days * DAY_MS, fire);
    vi.advanceTimersByTime(days * DAY_MS - 1);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("never asks setTimeout for more than it can hold", () => {
    const setTimeout = vi.spyOn(globalThis, "setTimeout");
    systemClock.setTimer(systemClock.now() + 60 * DAY_MS, () => {});
    vi.advanceTimersByTime(60 * DAY_MS);
    const delays = setTimeout.mock.calls.map(([, delay]) => delay as number);
    expect(delays.length).toBeGreaterThan(1);
    expect(delays.every((delay) => delay <= LONGEST_TIMEOUT_MS)).toBe(true);
  });

  it("does not fire a disarmed timer", () => {
    const fire = vi.fn();
    const disarm = systemClock.setTimer(systemClock.now() + 1_000, fire);
    disarm();
    vi.advanceTimersByTime(2_000);
    expect(fire).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("disarms a long timer that has been armed again on its way", () => {
    const fire = vi.fn();
    const disarm = systemClock.setTimer(systemClock.now() + 60 * DAY_MS, fire);
    vi.advanceTimersByTime(50 * DAY_MS);
    disarm();
    vi.advanceTimersByTime(50 * DAY_MS);
    expect(fire).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes no harm from being disarmed after it fired", () => {
    const disarm = systemClock.setTimer(systemClock.now() + 1, () => {});
    vi.advanceTimersByTime(1);
    expect(disarm).not.toThrow();
  });

  it("waits on when the machine's clock was set back meanwhile", () => {
    const fire = vi.fn();
    const start = systemClock.now();
    systemClock.setTimer(start + 1_000, fire);
    vi.setSystemTime(start - 5_000);
    vi.advanceTimersByTime(1_000);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("notices within a minute that the machine's clock was set forward, or that the machine has slept", () => {
    const fire = vi.fn();
    const start = systemClock.now();
    systemClock.setTimer(start + 8 * 3_600_000, fire);
    vi.setSystemTime(start + 9 * 3_600_000);
    vi.advanceTimersByTime(60_000);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("lets a delay pass whatever the machine's clock is set to meanwhile", () => {
    const fire = vi.fn();
    const start = systemClock.now();
    systemClock.setDelay(1_000, fire);
    vi.setSystemTime(start - 3_600_000);
    vi.advanceTimersByTime(999);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it.each([30, 90])("lets a delay of %i days pass, which setTimeout alone would fire at once", (days) => {
    const fire = vi.fn();
    systemClock.setDelay(days * DAY_MS, fire);
    vi.advanceTimersByTime(days * DAY_MS - 1);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  it("never fires a delay without end, and disarms it", () => {
    const fire = vi.fn();
    const disarm = systemClock.setDelay(Number.POSITIVE_INFINITY, fire);
    vi.advanceTimersByTime(100 * DAY_MS);
    expect(fire).not.toHaveBeenCalled();
    disarm();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not fire a disarmed delay", () => {
    const fire = vi.fn();
    systemClock.setDelay(1_000, fire)();
    vi.advanceTimersByTime(2_000);
    expect(fire).not.toHaveBeenCalled();
  });
});
