import type { RunnerContext, RunnerResult } from "../ports.js";

/** A task whose child is its row. */
export function runStatic({ job }: RunnerContext): RunnerResult {
  return { kind: "row", value: job.task.staticPayload };
}
