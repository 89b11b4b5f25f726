import type { RunStatus } from "../../model/run.js";
import type { Span } from "../../tracing/span.js";
import { startSpan } from "../../tracing/tracer.js";
import { callerOf, runContext, type TracedRow } from "./run-contexts.js";

interface EndedRun {
  readonly workflowName: string;
  /** Epoch ms. */
  readonly startedMs: number;
  /** How often it had ended before. */
  readonly ends: number;
  readonly status: RunStatus;
}

/** The span of a run that is over. It lies below the caller's, and is linked to what it continues. */
export function runSpan(
  { runId, config }: Pick<TracedRow, "runId" | "config">,
  { workflowName, startedMs, ends, status }: EndedRun,
): Span {
  const before = config.continuation?.fromRunId;
  const reopened = ends > 0 ? [runContext(runId, config, ends - 1)] : [];
  const continued = before === undefined ? [] : [runContext(before, config)];
  return startSpan({
    name: `run ${workflowName}`,
    context: runContext(runId, config, ends),
    parent: callerOf(config),
    startMs: startedMs,
    attributes: {
      "treadle.run.id": runId,
      "treadle.workflow.name": workflowName,
      "treadle.run.status": status,
      "treadle.run.continued_from": before,
    },
    links: [...reopened, ...continued],
  });
}
