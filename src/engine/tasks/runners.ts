import type { TaskKind } from "../../model/task.js";
import type { RunnerContext, RunnerResult, TaskRunner } from "../ports.js";
import { runAgent } from "./agent.js";
import { runApproval, runHuman } from "./approval.js";
import { runCompute } from "./compute.js";
import { runSubflow } from "./subflow.js";

/** One runner per kind of task. A kind without one does not compile. */
export const runners = {
  /** Its child is its row. */
  static: ({ job }) => ({ kind: "row", value: job.task.staticPayload }),
  compute: runCompute,
  agent: runAgent,
  approval: runApproval,
  human: runHuman,
  subflow: runSubflow,
  event: runEvent,
  /** It has fired, and has no row. */
  timer: () => ({ kind: "no-row" }),
} as const satisfies Record<TaskKind, TaskRunner>;

/** A wait that ended: the signal's payload is the row; a timeout with `continue` leaves none. */
function runEvent({ job }: RunnerContext): RunnerResult {
  const { resolution, task } = job;
  if (resolution?.kind !== "signal" || task.outputKey === "") return { kind: "no-row" };
  return { kind: "row", value: resolution.signal.data };
}
