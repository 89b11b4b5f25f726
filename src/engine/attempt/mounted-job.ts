import type { AttemptJob, MountedJob, MountedTask } from "../ports.js";

/** Written out as a whole, as jobs are: spread together, so many members make an object whose reads are slow. */
export function mountedJob(
  job: AttemptJob,
  { task, args, dependencyError, preflights }: MountedTask,
): MountedJob {
  return {
    runId: job.runId,
    nodeId: job.nodeId,
    iteration: job.iteration,
    attempt: job.attempt,
    kind: job.kind,
    fingerprint: job.fingerprint,
    idempotencyKey: job.idempotencyKey,
    deadlineAtMs: job.deadlineAtMs,
    failures: job.failures,
    workflowName: job.workflowName,
    ownerId: job.ownerId,
    epoch: job.epoch,
    nextSeq: job.nextSeq,
    modules: job.modules,
    code: job.code,
    queue: job.queue,
    config: job.config,
    resolution: job.resolution,
    lastHeartbeat: job.lastHeartbeat,
    editedPrompt: job.editedPrompt,
    previousError: job.previousError,
    cacheAll: job.cacheAll,
    heldLimits: job.heldLimits,
    agentAt: job.agentAt,
    forkedNode: job.forkedNode,
    isForkSource: job.isForkSource,
    revertedAttempt: job.revertedAttempt,
    formerOwner: job.formerOwner,
    task,
    args,
    dependencyError,
    preflights,
    // Also members that a job may lack.
  } satisfies Record<keyof MountedJob, unknown>;
}
