import type { Scorer } from "../model/scorer.js";
import type { Clock } from "../util/clock.js";
import { scorerFailed } from "./run-scorer.js";

/** The time that one scorer has. */
export interface ScorerLimit {
  /** Fires when nothing waits for the score any more. */
  readonly signal: AbortSignal;
  /** It has ended by itself. */
  disarm(): void;
  /** Nothing waits for it any more. */
  abort(reason: Error): void;
}

/** Begins now. When it is over, `onLate` is called first, so that an answer that the scorer gives to its signal comes too late. */
export function limitScorer(
  scorer: Pick<Scorer, "id">,
  { clock, limitMs, onLate }: { clock: Clock; limitMs: number; onLate(error: Error): void },
): ScorerLimit {
  const controller = new AbortController();
  const disarm = clock.setDelay(limitMs, () => {
    const error = scorerFailed(scorer, `did not answer within ${limitMs} ms`);
    onLate(error);
    controller.abort(error);
  });
  return {
    signal: controller.signal,
    disarm,
    abort(reason) {
      disarm();
      controller.abort(reason);
    },
  };
}
