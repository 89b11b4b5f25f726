import type { ScoreResult, StoredScore } from "../../model/scorer.js";
import type { Span } from "../../tracing/span.js";
import { isTracing, startSpan, withSpanContext } from "../../tracing/tracer.js";
import { type RunHolder, runKey } from "../run-key.js";
import { runTracer } from "./task-span.js";

interface AskedScore {
  readonly runId: string;
  readonly row: Pick<StoredScore, "nodeId" | "iteration" | "attempt" | "scorerId" | "scorerName">;
  /** Fires when nothing waits for it any more. */
  readonly signal: AbortSignal;
}

/** Asks a scorer in a span of its own, linked to the attempt that it judges, which is over. */
export async function inScorerSpan(
  { runId, row, signal }: AskedScore,
  holder: RunHolder,
  ask: () => Promise<ScoreResult>,
): Promise<ScoreResult> {
  if (!isTracing()) return ask();
  const { nodeId, iteration, attempt, scorerId, scorerName } = row;
  const scored = runTracer.scoredContextOf(runKey(holder, runId), row);
  const span = startSpan({
    name: `score ${scorerId}`,
    parent: scored?.run,
    links: scored === undefined ? [] : [scored.attempt],
    startMs: Date.now(),
    attributes: {
      "treadle.run.id": runId,
      "treadle.node.id": nodeId,
      "treadle.node.iteration": iteration,
      "treadle.node.attempt": attempt,
      "gen_ai.evaluation.name": scorerName,
    },
  });
  // One that ignores the signal may never answer.
  const giveUp = () => fail(span, signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const result = await withSpanContext(span.context, ask);
    span.set({ "gen_ai.evaluation.score.value": result.score });
    return result;
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
    span.end(Date.now());
  }
}

function fail(span: Span, error: unknown): void {
  if (span.endMs !== undefined) return;
  span.fail(error);
  span.end(Date.now());
}
