import { taskKey } from "../../model/address.js";
import type { RunRow } from "../../model/run.js";
import { parseTraceparent, type SpanContext, spanIdOf, traceIdOf } from "../../tracing/span-context.js";

/** The run as it was when its driving began here. */
export type TracedRow = Pick<RunRow, "runId" | "epoch" | "config">;

export interface TracedAttempt {
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
}

/*
 * Trace and span ids follow from the run's id, so that the process which resumes a run continues with its trace.
 */

/** The span that asked for the run. */
export function callerOf(config: TracedRow["config"]): SpanContext | undefined {
  return parseTraceparent(config.traceparent);
}

/** @param ends how often the run had ended before it was reopened: each end is that of a span */
export function runContext(runId: string, config: TracedRow["config"], ends = 0): SpanContext {
  const caller = callerOf(config);
  return {
    traceId: caller?.traceId ?? traceIdOf(runId),
    spanId: spanIdOf(ends === 0 ? runId : JSON.stringify([runId, ends])),
    isSampled: caller?.isSampled ?? true,
  };
}

/** Of an attempt of a run whose span this is, of any process. */
export function attemptContext(run: SpanContext, runId: string, attempt: TracedAttempt): SpanContext {
  return { ...run, spanId: spanIdOf(`${runId}:${taskKey(attempt)}:${attempt.attempt}`) };
}

export function driveContext(run: SpanContext, runId: string, epoch: number): SpanContext {
  return { ...run, spanId: spanIdOf(`${runId}:${epoch}`) };
}
