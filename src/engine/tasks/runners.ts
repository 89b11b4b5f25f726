import { deserializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { childRunId } from "../../model/child-run-id.js";
import { isWaiting } from "../../model/run.js";
import type { TaskKind } from "../../model/task.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { runWithLazyToolContext } from "../../tools/tool-context.js";
import { keepGiven } from "../attempt/given.js";
import type { RunnerContext, RunnerResult, TaskRunner } from "../ports.js";
import { runAgent } from "./agent.js";
import { runApproval, runHuman } from "./approval.js";
import { runSandbox } from "./sandbox.js";
import { taskTools } from "./task-tools.js";

/** One runner per kind of task. A kind without one does not compile. */
export const runners = {
  /** Its child is its row. */
  static: ({ job }) => ({ kind: "row", value: job.task.staticPayload }),
  compute: runCompute,
  agent: runAgent,
  approval: runApproval,
  human: runHuman,
  subflow: runSubflow,
  sandbox: runSandbox,
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

/** A task whose child is a function of its dependencies. Its return value is the row. Tools that it calls work for the task. */
function runCompute(context: RunnerContext): RunnerResult | Promise<RunnerResult> {
  const { job, runtime, record } = context;
  const { computeFn, nodeId } = job.task;
  if (computeFn === undefined) {
    throw new ServiceError("INTERNAL_ERROR", `Compute task ${nodeId} has no function.`);
  }
  if (job.task.needs !== undefined || job.task.deps !== undefined) {
    keepGiven(record, job, job.args);
  }
  const value = runWithLazyToolContext(
    () => taskTools(context),
    () => computeFn(job.args, runtime),
  );
  return isThenable(value) ? Promise.resolve(value).then(asRow) : asRow(value);
}

function asRow(value: unknown): RunnerResult {
  return { kind: "row", value };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null && typeof value === "object" && typeof (value as { then?: unknown }).then === "function"
  );
}

/** A workflow as a run of its own. Its result is the row; while it waits, so does this node. */
async function runSubflow(context: RunnerContext): Promise<RunnerResult> {
  const { job, runtime, record, services } = context;
  const spec = job.task.subflow;
  if (spec === undefined) throw new ServiceError("INTERNAL_ERROR", `Subflow ${job.nodeId} has no workflow.`);
  const runId = childRunId(job, job);
  record.meta = { childRunId: runId };
  const { result, events, tokens, database } = await services.childRuns.drive(
    spec.workflow as ServiceWorkflow,
    {
      runId,
      parentRunId: job.runId,
      place: { nodeId: job.nodeId, iteration: job.iteration },
      input: spec.input ?? {},
      signal: runtime.signal,
      // Progress of the child is a heartbeat of its node.
      ...(job.task.heartbeatTimeoutMs !== null && { onProgress: () => runtime.heartbeat() }),
      config: job.config,
      formerOwner: job.formerOwner,
    },
  );
  record.meta = {
    childRunId: result.runId,
    childRunEvents: events,
    childTokens: tokens,
    // Nothing that happens there is seen in this run's database: the process that looks after it has to look there too.
    ...(database !== undefined && { childDatabase: database }),
  };
  if (isWaiting(result.status)) {
    return { kind: "park", status: result.status, reason: `its child run is ${result.status}` };
  }
  if (result.status === "finished") return { kind: "row", value: result.output ?? {}, isFinal: true };
  const cause = result.error === undefined ? undefined : deserializeError(result.error);
  throw new ServiceError(
    result.error?.code ?? (result.status === "cancelled" ? "RUN_CANCELLED" : "WORKFLOW_EXECUTION_FAILED"),
    `Child run ${result.runId} is ${result.status}${result.error === undefined ? "" : `: ${result.error.message}`}`,
    { details: { childRunId: result.runId, status: result.status }, ...(cause !== undefined && { cause }) },
  );
}
