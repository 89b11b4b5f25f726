/**
 * Fires with the first of the signals. To be released: one of them outlives very many calls, and
 * `AbortSignal.any` of Node 20 would be remembered there for each.
 */
export function firstOf(...signals: (AbortSignal | undefined)[]): { signal: AbortSignal; release(): void } {
  const first = new AbortController();
  const heard = signals.filter((signal) => signal !== undefined);
  const fire = ({ target }: Event) => first.abort((target as AbortSignal).reason);
  for (const signal of heard) {
    if (signal.aborted) first.abort(signal.reason);
    signal.addEventListener("abort", fire, { once: true });
  }
  return {
    signal: first.signal,
    release() {
      for (const signal of heard) signal.removeEventListener("abort", fire);
    },
  };
}
