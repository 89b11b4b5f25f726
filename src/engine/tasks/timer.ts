import type { RunnerContext, RunnerResult } from "../ports.js";

/** A timer that fired. It has no row. */
export function runTimer(_context: RunnerContext): RunnerResult {
  return { kind: "no-row" };
}
