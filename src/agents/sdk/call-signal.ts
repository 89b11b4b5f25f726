import type { AgentGenerateOptions } from "../../model/agent.js";
import { type Clock, systemClock } from "../../util/clock.js";

/** Ends one call early: when the caller aborts, or when its time is up. */
export interface CallSignal {
  readonly signal: AbortSignal;
  /** Settles with `promise`, or rejects as soon as the signal fires: tools need not obey it. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** The call is over without an answer: the loop behind it asks for nothing more, and its tools stop. */
  giveUp(reason: unknown): void;
  /** Detaches from the caller's signal and disarms the timer. */
  dispose(): void;
}

/** Named as the platform's own time-outs, by which they are recognised. */
export function timeoutReason(): DOMException {
  return new DOMException("The agent took longer than its time-out.", "TimeoutError");
}

export function callSignal(
  args: Pick<AgentGenerateOptions, "abortSignal" | "timeout">,
  clock: Clock = systemClock,
): CallSignal {
  const { abortSignal, timeout } = args;
  const controller = new AbortController();
  const onAbort = () => controller.abort(abortSignal?.reason);
  if (abortSignal?.aborted === true) onAbort();
  else abortSignal?.addEventListener("abort", onAbort, { once: true });
  const disarm =
    timeout === undefined ? undefined : clock.setDelay(timeout, () => controller.abort(timeoutReason()));

  const { signal } = controller;
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // No call waits for it when the call is over before the signal fires.
  aborted.catch(() => {});

  return {
    signal,
    race: (promise) => Promise.race([promise, aborted]),
    giveUp: (reason) => controller.abort(reason),
    dispose() {
      disarm?.();
      abortSignal?.removeEventListener("abort", onAbort);
    },
  };
}
