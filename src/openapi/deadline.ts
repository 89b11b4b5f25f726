import { systemClock } from "../util/clock.js";

/** Thrown in place of an answer that did not come in time. */
class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

/**
 * Runs `work` under a signal that is aborted when `outer` is, or after
 * `timeoutMs`. Rejects with the reason of `outer`, with {@link DeadlineExceeded},
 * or with what `work` throws.
 */
export async function withDeadline<T>(
  { timeoutMs, outer }: { timeoutMs: number; outer: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", follow, { once: true });
  const disarm = systemClock.setDelay(timeoutMs, () =>
    controller.abort(new DeadlineExceeded(`no answer within ${timeoutMs} ms`)),
  );
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    disarm();
    outer?.removeEventListener("abort", follow);
  }
}
