import { describe, expect, it } from "vitest";
import { callSignal } from "../../../src/agents/sdk/call-signal.js";
import type { Clock } from "../../../src/util/clock.js";

/** A clock whose only timer is fired by hand. */
function handClock() {
  const timers: { atMs: number; fire(): void }[] = [];
  const setTimer: Clock["setTimer"] = (atMs, fire) => {
    const timer = { atMs, fire };
    timers.push(timer);
    return () => timers.splice(timers.indexOf(timer), 1);
  };
  const clock: Clock = { now: () => 1_000, setTimer, setDelay: (ms, fire) => setTimer(1_000 + ms, fire) };
  return { clock, timers };
}

const never = new Promise<never>(() => {});

describe("callSignal", () => {
  it("fires with the caller's reason", async () => {
    const controller = new AbortController();
    const call = callSignal({ abortSignal: controller.signal });
    const reason = new Error("enough");
    controller.abort(reason);
    expect(call.signal.reason).toBe(reason);
    await expect(call.race(never)).rejects.toBe(reason);
  });

  it("has fired already when the caller's signal has", async () => {
    const call = callSignal({ abortSignal: AbortSignal.abort("enough") });
    expect(call.signal.aborted).toBe(true);
    await expect(call.race(never)).rejects.toBe("enough");
  });

  it("fires with a TimeoutError when the time is up", async () => {
    const { clock, timers } = handClock();
    const call = callSignal({ timeout: 500 }, clock);
    expect(timers[0]?.atMs).toBe(1_500);
    timers[0]?.fire();
    await expect(call.race(never)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("lets a result pass that is there first", async () => {
    const controller = new AbortController();
    const call = callSignal({ abortSignal: controller.signal });
    await expect(call.race(Promise.resolve("answer"))).resolves.toBe("answer");
  });

  it("arms no timer without a timeout", () => {
    const { clock, timers } = handClock();
    callSignal({}, clock);
    expect(timers).toHaveLength(0);
  });

  it("leaves timer and caller's signal behind when it is disposed of", () => {
    const { clock, timers } = handClock();
    const controller = new AbortController();
    const call = callSignal({ abortSignal: controller.signal, timeout: 500 }, clock);
    call.dispose();
    controller.abort();
    expect(timers).toHaveLength(0);
    expect(call.signal.aborted).toBe(false);
  });
});
