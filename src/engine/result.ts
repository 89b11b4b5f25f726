import type { RunResult } from "../model/run.js";
import type { OutputRow } from "../model/schema.js";
import type { Outcome } from "./run-loop.js";
import type { RunSession } from "./session/session.js";
import { summaryOf } from "./session/disposition.js";

/** The schema key whose rows are a run's result. */
export const RESULT_KEY = "output";

export function toRunResult(session: RunSession, outcome: Outcome): RunResult {
  const result: RunResult = { runId: session.runId, status: session.status };
  if (session.error !== null) result.error = session.error;
  if (outcome.kind === "continued" && session.nextRunId !== null) result.nextRunId = session.nextRunId;
  if (outcome.kind === "waiting" || outcome.kind === "stopped") return result;
  return {
    ...result,
    ...outputOf(session.outputs.all(RESULT_KEY)),
    ...summaryFields(summaryOf(session.state)),
  };
}

/** One row is the object, several are an array, none is absent. */
export function outputOf(rows: readonly OutputRow[]): { output?: unknown } {
  if (rows.length === 0) return {};
  return { output: rows.length === 1 ? rows[0] : [...rows] };
}

export function summaryFields(
  summary: { failedChildKeys?: string[]; exhaustedLoops?: string[] } | null,
): Pick<RunResult, "failedChildren" | "failedChildKeys" | "exhaustedLoops"> {
  if (summary === null) return {};
  const { failedChildKeys, exhaustedLoops } = summary;
  return {
    ...(failedChildKeys !== undefined && { failedChildren: failedChildKeys.length, failedChildKeys }),
    ...(exhaustedLoops !== undefined && { exhaustedLoops }),
  };
}
