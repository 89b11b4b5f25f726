import { isTracing, withSpanContext } from "../../tracing/tracer.js";
import { type RunHolder, runKey } from "../run-key.js";
import { RunTracer } from "./run-tracer.js";

/** One per process, as the span exporter is. */
export const runTracer = new RunTracer();

/** Runs the code of an attempt in the attempt's span. */
export function inTaskSpan<T>(
  attempt: { runId: string; nodeId: string; iteration: number },
  holder: RunHolder,
  work: () => T,
): T {
  if (!isTracing()) return work();
  return withSpanContext(runTracer.contextOf(runKey(holder, attempt.runId), attempt) ?? null, work);
}

/** Runs what may outlast the task that asks for it in the span of the task's run. */
export function inRunSpan<T>(runId: string, holder: RunHolder, work: () => T): T {
  const context = isTracing() ? runTracer.runContextOf(runKey(holder, runId)) : undefined;
  return context === undefined ? work() : withSpanContext(context, work);
}
