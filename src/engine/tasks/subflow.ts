import { childRunId } from "../../model/child-run-id.js";
import { deserializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { isWaiting } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { RunnerContext, RunnerResult } from "../ports.js";

/** A workflow as a run of its own. Its result is the row; while it waits, so does this node. */
export async function runSubflow(context: RunnerContext): Promise<RunnerResult> {
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
