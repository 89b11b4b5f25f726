import { claimRun } from "../engine/session/lease.js";
import { applyReset } from "../engine/reset/apply-reset.js";
import { planReset } from "../engine/reset/plan-reset.js";
import { engineWorkflow } from "../engine/workflow-source.js";
import { ServiceError } from "../errors/service-error.js";
import type { RunEvent } from "../model/events.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { dropChildRuns } from "./children/drop-child-runs.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, storeOf } from "./request/target.js";

export interface RetryTaskOptions {
  runId: string;
  nodeId: string;
  /** @default 0 */
  iteration?: number;
  /** Also run again what came after the node because of it. @default true */
  resetDependents?: boolean;
  /** Take the run over even if another process drives it. @default false */
  force?: boolean;
  /** Only say what would be reset. @default false */
  dryRun?: boolean;
  onProgress?(event: RunEvent): void;
}

export interface RetryTaskResult {
  success: boolean;
  /** Keys `nodeId::iteration` of the nodes that are pending again, the asked-for one first. */
  resetNodes: string[];
  error?: string;
}

/**
 * Makes a node, and what depends on it, run again. The run is left resumable;
 * `runWorkflow` with `resume: true` goes on with it.
 * @throws RUN_NOT_FOUND, NODE_NOT_FOUND, RUN_NOT_RESUMABLE, RUN_OWNER_ALIVE, RUN_STILL_RUNNING
 */
export async function retryTask(
  workflow: ServiceWorkflow,
  options: RetryTaskOptions,
): Promise<RetryTaskResult> {
  const store = await storeOf(workflow);
  const services = engineServices(store);
  const { runId, force = false, dryRun = false } = options;
  const request = {
    nodeId: options.nodeId,
    iteration: options.iteration ?? 0,
    resetDependents: options.resetDependents ?? true,
  };
  const run = await requireRun(store, runId);
  if (run.status === "continued") {
    throw new ServiceError("RUN_NOT_RESUMABLE", `Run ${runId} went on as run ${run.nextRunId}.`, {
      details: { runId, nextRunId: run.nextRunId },
    });
  }
  const source = engineWorkflow(workflow, store);
  const before = await store.loadRun(runId);
  if (before === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${runId} was deleted.`);
  if (dryRun) {
    return { success: true, resetNodes: planReset(services, source, { image: before, request }).keys };
  }
  planReset(services, source, { image: before, request });
  const lease = await claimRun(store, run, { clock: services.clock, force });
  try {
    // Planned again under the lease: nobody changes the run any more.
    const image = await store.loadRun(runId);
    if (image === undefined) throw new ServiceError("RUN_NOT_FOUND", `Run ${runId} was deleted.`);
    const plan = planReset(services, source, { image, request });
    const events = await applyReset(services, source, {
      image,
      lease,
      plan,
      request,
      beforeCommit: () => dropChildRuns(services, image, plan),
    });
    for (const event of events) options.onProgress?.(event);
    return { success: true, resetNodes: plan.keys };
  } catch (error) {
    await store.releaseLease(lease);
    throw error;
  }
}
