import type { RunnerContext, RunnerResult } from "../ports.js";

/** A wait that ended: the signal's payload is the row; a timeout with `continue` leaves none. */
export function runEvent({ job }: RunnerContext): RunnerResult {
  const { resolution, task } = job;
  if (resolution?.kind !== "signal" || task.outputKey === "") return { kind: "no-row" };
  return { kind: "row", value: resolution.signal.data };
}
