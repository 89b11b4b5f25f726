import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { AttemptState } from "../model/node.js";
import type { WaitingStatus } from "../model/run.js";
import type { OverBudget } from "./commands.js";
import { finishNode, openAfterFrame, recheckMissing, regionOfNode } from "./finish-node.js";
import { armDue, endWaiting, failNode, openIfReached, skipNode, startWaiting, unmountNode } from "./nodes.js";
import { enqueue, vacate } from "./ready.js";
import { decideRetry, failureFingerprint } from "./retry.js";
import { isRegionActive } from "./regions.js";
import { leavesHalfDone } from "./compensations.js";
import { failRegion, regionTaskEnded } from "./scopes.js";
import { emptyGraph, type NodeRecord, type PassedOn } from "./state.js";
import type { StepContext } from "./step-context.js";
import { waitForApproval } from "./waits.js";

/** How attempts end. Results of attempts that are no longer the current one are dropped by `attemptInProgress`. */

export function attemptInProgress(
  context: StepContext,
  key: TaskKey,
  attempt: number,
): NodeRecord | undefined {
  const node = context.state.nodes.get(key);
  return node?.attempt?.no === attempt ? node : undefined;
}

export function finishAttempt(context: StepContext, node: NodeRecord, cached: boolean): void {
  consumeSignal(context, node);
  // An answer of the cache has used nothing.
  if (cached && node.slot !== null) node.slot.isUnused = true;
  close(context, node, "finished", null);
  finishNode(context, node, { cached });
}

/** Ends attempts of tasks that have left the tree. */
export function callOff(context: StepContext, keys: readonly TaskKey[]): void {
  for (const key of keys) {
    const node = context.state.nodes.get(key);
    if (node?.attempt == null || node.task !== null || node.attempt.aborting !== null) continue;
    node.attempt.calledOff = true;
    node.attempt.aborting = {
      name: "ServiceError",
      code: "TASK_ABORTED",
      message: `Task ${node.row.nodeId} left the tree while it ran.`,
    };
    context.emit({ type: "abort", key, attempt: node.attempt.no, error: node.attempt.aborting });
  }
}

export function failAttempt(
  context: StepContext,
  node: NodeRecord,
  failure: { error: SerializedError; quotaResetAtMs?: number },
): void {
  const { state, now } = context;
  const { row, task } = node;
  const error = addressed(failure.error, node);
  if (state.cancelling !== null) return cancelAttempt(context, node, error);
  if (node.attempt?.calledOff === true) return endCalledOff(context, node, error.message);
  const isWanted =
    task !== null && state.failure === null && isRegionActive(context, regionOfNode(context, node));
  if (failure.quotaResetAtMs !== undefined && isWanted) {
    return suspendForQuota(context, node, { ...failure, error, quotaResetAtMs: failure.quotaResetAtMs });
  }
  close(context, node, "failed", error);
  row.interruptions = 0;
  row.failures += 1;
  const fingerprint = failureFingerprint(error);
  row.identicalFailures = row.failureFingerprint === fingerprint ? row.identicalFailures + 1 : 1;
  row.failureFingerprint = fingerprint;
  row.error = error;
  const address = { nodeId: row.nodeId, iteration: row.iteration, attempt: row.lastAttempt };
  context.event({ type: "NodeFailed", ...address, error });
  // Nothing waits for another attempt of a task that left the tree or whose block, or run, has failed.
  const decision = isWanted ? decideRetry(task, row, error) : { kind: "give-up" as const, error };
  if (decision.kind === "give-up") {
    // It was this waiter's signal, although it could not make a row of it.
    consumeSignal(context, node);
    return completeFailure(context, node, decision.error);
  }
  if (isWanted && task.kind === "human") {
    // The answer did not fit: the same person is asked again, not the same answer tried again.
    state.approvals.delete(node.key);
    node.resolution = null;
    row.state = "pending";
    waitForApproval(context, node, task);
    return regionTaskEnded(context, regionOfNode(context, node));
  }
  const retryAtMs = now + decision.delayMs;
  row.state = "pending";
  row.dueAtMs = retryAtMs;
  context.event({ type: "NodeRetrying", ...address, retryAtMs });
  armDue(context, node);
  context.changed(node);
  regionTaskEnded(context, regionOfNode(context, node));
}

/** It is cancelled, unless its task is back in the tree by now: then it starts again. */
function endCalledOff(context: StepContext, node: NodeRecord, reason: string): void {
  const region = regionOfNode(context, node);
  interruptAttempt(context, node, { attempt: node.row.lastAttempt, reason });
  if (node.task === null) return recheckMissing(context, node.row.nodeId);
  if (isRegionActive(context, region)) return enqueue(context, node);
  skipNode(context, node, "the block around it is over");
  openIfReached(context, node);
  regionTaskEnded(context, region);
}

/** A task that fails before any attempt: a denied approval, a wait that ran out. */
export function failAttemptless(
  context: StepContext,
  node: NodeRecord,
  failure: { code: string; message: string },
): void {
  const error = addressed({ name: "ServiceError", ...failure, retryable: false }, node);
  const { row } = node;
  context.event({
    type: "NodeFailed",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
    error,
  });
  completeFailure(context, node, error);
}

/** Each of its last attempts took the process along; the next one would, too. */
export function failInterrupted(context: StepContext, node: NodeRecord): void {
  const { row } = node;
  const times = row.interruptions;
  // Another chance is a whole one.
  row.interruptions = 0;
  failAttemptless(context, node, {
    code: "TASK_INTERRUPTED_TOO_OFTEN",
    message: `Task ${row.nodeId} was interrupted ${times} times in a row: each time its process died before the attempt could end.`,
  });
}

/** No attempt follows: the failure is tolerated, handled by a scope, or fails the run. */
function completeFailure(context: StepContext, node: NodeRecord, error: SerializedError): void {
  failNode(context, node, error);
  const region = regionOfNode(context, node);
  if (node.task === null) {
    // It left the tree while it ran; nothing waits for it any more.
    recheckMissing(context, node.row.nodeId);
  } else if (node.task.continueOnFail) {
    openAfterFrame(context, node);
  } else {
    failRegion(context, region, { key: node.key, error });
  }
  regionTaskEnded(context, region);
}

/** The attempt found that the task does not apply, or a budget leaves it out. */
export function skipAttempt(
  context: StepContext,
  node: NodeRecord,
  { reason, overBudget }: { reason: string; overBudget?: OverBudget },
): void {
  if (overBudget !== undefined && leavesHalfDone(context, node, overBudget.aspectId)) {
    return failAttempt(context, node, overBudget);
  }
  close(context, node, "finished", null);
  skipNode(context, node, reason);
  if (node.vertex >= 0) openIfReached(context, node);
  else recheckMissing(context, node.row.nodeId);
  regionTaskEnded(context, regionOfNode(context, node));
}

/** The attempt was stopped by its process, or the process died: it does not count. */
export function interruptAttempt(
  context: StepContext,
  node: NodeRecord,
  interruption: { attempt: number; reason: string; isSuspect?: boolean; endedAtMs?: number },
): void {
  const { row } = node;
  const { attempt, reason, endedAtMs } = interruption;
  if (interruption.isSuspect === true) row.interruptions += 1;
  const ended = endedAtMs === undefined ? {} : { endedAtMs };
  context.emit({
    type: "attempt-closed",
    key: node.key,
    attempt,
    state: "interrupted",
    error: null,
    ...ended,
  });
  context.event({ type: "NodeInterrupted", nodeId: row.nodeId, iteration: row.iteration, attempt, reason });
  if (node.attempt === null ? row.state !== "in-progress" : node.attempt.no !== attempt) return;
  if (node.attempt !== null) vacate(context, node);
  row.state = "pending";
  context.changed(node);
  // Before the first frame nothing is mounted; after it, a task that left the tree while it ran does not run again.
  if (node.task === null && context.state.graph !== emptyGraph) unmountNode(context, node);
}

/** The node waits for its child run, or for a person at its session; the attempt does not count. */
export function suspendAttempt(
  context: StepContext,
  node: NodeRecord,
  { status, reason }: { status: WaitingStatus; reason: string },
): void {
  const { aborting = null, woken = false } = node.attempt ?? {};
  if (aborting !== null) return failAttempt(context, node, { error: aborting });
  const { row } = node;
  const attempt = row.lastAttempt;
  const region = regionOfNode(context, node);
  row.interruptions = 0;
  interruptAttempt(context, node, { attempt, reason });
  if (node.task === null) return;
  if (isRegionActive(context, region)) {
    if (woken) return enqueue(context, node);
    const wait = { kind: row.kind === "subflow" ? "child" : "hijack" } as const;
    return startWaiting(context, node, { state: status, dueAtMs: null, wait });
  }
  skipNode(context, node, "the block around it is over");
  openIfReached(context, node);
  regionTaskEnded(context, region);
}

/** The attempt does not count: the next one begins with the agent that this one could not ask. */
export function passAttemptOn(context: StepContext, node: NodeRecord, to: PassedOn): void {
  const aborting = node.attempt?.aborting ?? null;
  if (aborting !== null) return failAttempt(context, node, { error: aborting });
  const earlier = node.passedOn?.quotaResetAtMs ?? null;
  const reason = "it needs a slot of the limit of the next agent";
  node.row.interruptions = 0;
  interruptAttempt(context, node, { attempt: node.row.lastAttempt, reason });
  if (node.task === null) return;
  node.passedOn = { agentAt: to.agentAt, quotaResetAtMs: earliest(earlier, to.quotaResetAtMs) };
  startAgain(context, node);
}

/** Another process had it, and is gone: the task starts again, elsewhere. */
export function loseAttempt(
  context: StepContext,
  node: NodeRecord,
  { reason, isSuspect }: { reason: string; isSuspect: boolean },
): void {
  const aborting = node.attempt?.aborting ?? null;
  if (aborting !== null) return failAttempt(context, node, { error: aborting });
  interruptAttempt(context, node, { attempt: node.row.lastAttempt, reason, isSuspect });
  const { maxInterruptions } = context.state;
  const isTooOften = maxInterruptions > 0 && node.row.interruptions >= maxInterruptions;
  if (isTooOften && node.task !== null && isRegionActive(context, regionOfNode(context, node))) {
    return failInterrupted(context, node);
  }
  startAgain(context, node);
}

/** An attempt that does not count is over. */
function startAgain(context: StepContext, node: NodeRecord): void {
  if (node.task === null) return;
  const region = regionOfNode(context, node);
  if (isRegionActive(context, region)) return enqueue(context, node);
  skipNode(context, node, "the block around it is over");
  openIfReached(context, node);
  regionTaskEnded(context, region);
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

export function cancelAttempt(context: StepContext, node: NodeRecord, error: SerializedError): void {
  const { row } = node;
  close(context, node, "cancelled", error);
  endWaiting(node);
  row.state = "cancelled";
  context.event({
    type: "NodeCancelled",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
  });
  context.changed(node);
}

/** Every agent is out of quota: the attempt does not count and the node waits for the reset. */
function suspendForQuota(
  context: StepContext,
  node: NodeRecord,
  failure: { error: SerializedError; quotaResetAtMs: number },
): void {
  const { row } = node;
  const agentId = failure.error.details?.agentId;
  const about = typeof agentId === "string" ? { agentId } : {};
  const resetAtMs = earliest(failure.quotaResetAtMs, node.passedOn?.quotaResetAtMs ?? null) as number;
  close(context, node, "failed", failure.error);
  row.interruptions = 0;
  row.error = failure.error;
  context.event({
    type: "NodeWaitingQuota",
    nodeId: row.nodeId,
    iteration: row.iteration,
    resetAtMs,
    ...about,
  });
  startWaiting(context, node, {
    state: "waiting-quota",
    dueAtMs: resetAtMs,
    wait: { kind: "quota", ...about },
  });
}

function close(
  context: StepContext,
  node: NodeRecord,
  state: Exclude<AttemptState, "in-progress">,
  error: SerializedError | null,
): void {
  const attempt = node.row.lastAttempt;
  context.emit({ type: "attempt-closed", key: node.key, attempt, state, error });
  node.passedOn = null;
  vacate(context, node);
}

/** A signal leaves the inbox in the same commit that finishes its waiter. */
function consumeSignal(context: StepContext, node: NodeRecord): void {
  const { resolution, row } = node;
  node.resolution = null;
  if (resolution?.kind !== "signal") return;
  context.emit({ type: "consume", intentId: resolution.signal.id });
  context.event({
    type: "SignalConsumed",
    nodeId: row.nodeId,
    iteration: row.iteration,
    signal: resolution.signal.name,
    signalSeq: resolution.signal.id,
  });
}

/** The task's own error with the address a reader needs to find it. */
function addressed(error: SerializedError, node: NodeRecord): SerializedError {
  const { row } = node;
  return {
    ...error,
    code: error.code ?? "TASK_FAILED",
    details: { ...error.details, nodeId: row.nodeId, iteration: row.iteration, attempt: row.lastAttempt },
  };
}
