import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { AttemptState } from "../model/node.js";
import type { WaitingStatus } from "../model/run.js";
import type { Vertex } from "./graph-types.js";
import { armDue, endWaiting, failNode, openIfReached, skipNode, startWaiting, unmountNode } from "./nodes.js";
import { enqueue, vacate } from "./ready.js";
import { decideRetry, failureFingerprint } from "./retry.js";
import { isRegionActive } from "./regions.js";
import { failRegion, regionTaskEnded } from "./scopes.js";
import { emptyGraph, type NodeRecord, type PassedOn } from "./state.js";
import type { Move } from "./move.js";
import { waitForApproval } from "./waits.js";

/** How attempts end. Results of attempts that are no longer the current one are dropped by `attemptInProgress`. */

export function attemptInProgress(move: Move, key: TaskKey, attempt: number): NodeRecord | undefined {
  const node = move.state.nodes.get(key);
  return node?.attempt?.no === attempt ? node : undefined;
}

export function finishAttempt(move: Move, node: NodeRecord, cached: boolean): void {
  const { row } = node;
  row.interruptions = 0;
  consumeSignal(move, node);
  // What the cache answers has used nothing.
  if (cached && node.slot !== null) node.slot.isUnused = true;
  close(move, node, "finished", null);
  endWaiting(node);
  row.state = "finished";
  row.error = null;
  row.finishedSeq = move.state.finished;
  move.state.finished += 1;
  move.event({
    type: "NodeFinished",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
    ...(cached && { cached }),
  });
  move.changed(node);
  openAfterFrame(move, node);
  regionTaskEnded(move, regionOfNode(move, node));
}

/** Ends attempts of tasks that have left the tree. */
export function callOff(move: Move, keys: readonly TaskKey[]): void {
  for (const key of keys) {
    const node = move.state.nodes.get(key);
    if (node?.attempt == null || node.task !== null || node.attempt.aborting !== null) continue;
    node.attempt.calledOff = true;
    node.attempt.aborting = {
      name: "ServiceError",
      code: "TASK_ABORTED",
      message: `Task ${node.row.nodeId} left the tree while it ran.`,
    };
    move.emit({ type: "abort", key, attempt: node.attempt.no, error: node.attempt.aborting });
  }
}

export function failAttempt(
  move: Move,
  node: NodeRecord,
  failure: { error: SerializedError; quotaResetAtMs?: number },
): void {
  const { state, now } = move;
  const { row, task } = node;
  const error = addressed(failure.error, node);
  if (state.cancelling !== null) return cancelAttempt(move, node, error);
  if (node.attempt?.calledOff === true) return endCalledOff(move, node, error.message);
  const isWanted = task !== null && state.failure === null && isRegionActive(move, regionOfNode(move, node));
  if (failure.quotaResetAtMs !== undefined && isWanted) {
    return parkForQuota(move, node, { ...failure, error, quotaResetAtMs: failure.quotaResetAtMs });
  }
  close(move, node, "failed", error);
  row.interruptions = 0;
  row.failures += 1;
  const fingerprint = failureFingerprint(error);
  row.identicalFailures = row.failureFingerprint === fingerprint ? row.identicalFailures + 1 : 1;
  row.failureFingerprint = fingerprint;
  row.error = error;
  const address = { nodeId: row.nodeId, iteration: row.iteration, attempt: row.lastAttempt };
  move.event({ type: "NodeFailed", ...address, error });
  // Nobody waits for another attempt of a task that left the tree or whose block, or run, has failed.
  const decision = isWanted ? decideRetry(task, row, error) : { kind: "give-up" as const, error };
  if (decision.kind === "give-up") {
    // It was this waiter's signal, although it could not make a row of it.
    consumeSignal(move, node);
    return settleFailure(move, node, decision.error);
  }
  if (isWanted && task.kind === "human") {
    // The answer did not fit: the same person is asked again, not the same answer tried again.
    state.approvals.delete(node.key);
    node.resolution = null;
    row.state = "pending";
    waitForApproval(move, node, task);
    return regionTaskEnded(move, regionOfNode(move, node));
  }
  const retryAtMs = now + decision.delayMs;
  row.state = "pending";
  row.dueAtMs = retryAtMs;
  move.event({ type: "NodeRetrying", ...address, retryAtMs });
  armDue(move, node);
  move.changed(node);
  regionTaskEnded(move, regionOfNode(move, node));
}

/** It is cancelled, unless its task is back in the tree by now: then it starts again. */
function endCalledOff(move: Move, node: NodeRecord, reason: string): void {
  const region = regionOfNode(move, node);
  interruptAttempt(move, node, { attempt: node.row.lastAttempt, reason });
  if (node.task === null) return recheckMissing(move, node.row.nodeId);
  if (isRegionActive(move, region)) return enqueue(move, node);
  skipNode(move, node, "the block around it is over");
  openIfReached(move, node);
  regionTaskEnded(move, region);
}

/** A task that fails before any attempt: a denied approval, a wait that ran out. */
export function failAttemptless(
  move: Move,
  node: NodeRecord,
  failure: { code: string; message: string },
): void {
  const error = addressed({ name: "ServiceError", ...failure, retryable: false }, node);
  const { row } = node;
  move.event({
    type: "NodeFailed",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
    error,
  });
  settleFailure(move, node, error);
}

/** Each of its last attempts took the process along; the next one would, too. */
export function failInterrupted(move: Move, node: NodeRecord): void {
  const { row } = node;
  const times = row.interruptions;
  // Whoever gives it another chance gives it the whole one.
  row.interruptions = 0;
  failAttemptless(move, node, {
    code: "TASK_INTERRUPTED_TOO_OFTEN",
    message: `Task ${row.nodeId} was interrupted ${times} times in a row: each time its process died before the attempt could end.`,
  });
}

/** No attempt follows: the failure is tolerated, handled by a scope, or fails the run. */
function settleFailure(move: Move, node: NodeRecord, error: SerializedError): void {
  failNode(move, node, error);
  const region = regionOfNode(move, node);
  if (node.task === null) {
    // It left the tree while it ran; nothing waits for it any more.
    recheckMissing(move, node.row.nodeId);
  } else if (node.task.continueOnFail) {
    openAfterFrame(move, node);
  } else {
    failRegion(move, region, { key: node.key, error });
  }
  regionTaskEnded(move, region);
}

/** The attempt found that the task does not apply. */
export function skipAttempt(move: Move, node: NodeRecord, reason: string): void {
  close(move, node, "finished", null);
  skipNode(move, node, reason);
  if (node.vertex >= 0) openIfReached(move, node);
  else recheckMissing(move, node.row.nodeId);
  regionTaskEnded(move, regionOfNode(move, node));
}

/** The attempt was stopped by its process, or the process died: it does not count. */
export function interruptAttempt(
  move: Move,
  node: NodeRecord,
  interruption: { attempt: number; reason: string; byDeath?: true },
): void {
  const { row } = node;
  const { attempt, reason } = interruption;
  // A child run may go on for long, and its tasks count for themselves.
  if (interruption.byDeath === true && row.kind !== "subflow") row.interruptions += 1;
  move.emit({ type: "attempt-closed", key: node.key, attempt, state: "interrupted", error: null });
  move.event({ type: "NodeInterrupted", nodeId: row.nodeId, iteration: row.iteration, attempt, reason });
  if (node.attempt === null ? row.state !== "in-progress" : node.attempt.no !== attempt) return;
  if (node.attempt !== null) vacate(move, node);
  row.state = "pending";
  move.changed(node);
  // Before the first frame nothing is mounted; after it, whoever left the tree while it ran does not run again.
  if (node.task === null && move.state.graph !== emptyGraph) unmountNode(move, node);
}

/** The node waits for its child run, or for a person at its session; the attempt does not count. */
export function parkAttempt(
  move: Move,
  node: NodeRecord,
  { status, reason }: { status: WaitingStatus; reason: string },
): void {
  const { aborting = null, woken = false } = node.attempt ?? {};
  if (aborting !== null) return failAttempt(move, node, { error: aborting });
  const { row } = node;
  const attempt = row.lastAttempt;
  const region = regionOfNode(move, node);
  row.interruptions = 0;
  interruptAttempt(move, node, { attempt, reason });
  if (node.task === null) return;
  if (isRegionActive(move, region)) {
    if (woken) return enqueue(move, node);
    const wait = { kind: row.kind === "subflow" ? "child" : "hijack" } as const;
    return startWaiting(move, node, { state: status, dueAtMs: null, wait });
  }
  skipNode(move, node, "the block around it is over");
  openIfReached(move, node);
  regionTaskEnded(move, region);
}

/** The attempt does not count: the next one begins with the agent that this one could not ask. */
export function passAttemptOn(move: Move, node: NodeRecord, to: PassedOn): void {
  const aborting = node.attempt?.aborting ?? null;
  if (aborting !== null) return failAttempt(move, node, { error: aborting });
  const region = regionOfNode(move, node);
  const earlier = node.passedOn?.quotaResetAtMs ?? null;
  const reason = "it needs a slot of the limit of the next agent";
  node.row.interruptions = 0;
  interruptAttempt(move, node, { attempt: node.row.lastAttempt, reason });
  if (node.task === null) return;
  node.passedOn = { agentAt: to.agentAt, quotaResetAtMs: earliest(earlier, to.quotaResetAtMs) };
  if (isRegionActive(move, region)) return enqueue(move, node);
  skipNode(move, node, "the block around it is over");
  openIfReached(move, node);
  regionTaskEnded(move, region);
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

export function cancelAttempt(move: Move, node: NodeRecord, error: SerializedError): void {
  const { row } = node;
  close(move, node, "cancelled", error);
  endWaiting(node);
  row.state = "cancelled";
  move.event({
    type: "NodeCancelled",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
  });
  move.changed(node);
}

/** Every agent is out of quota: the attempt does not count and the node waits for the reset. */
function parkForQuota(
  move: Move,
  node: NodeRecord,
  failure: { error: SerializedError; quotaResetAtMs: number },
): void {
  const { row } = node;
  const agentId = failure.error.details?.agentId;
  const about = typeof agentId === "string" ? { agentId } : {};
  const resetAtMs = earliest(failure.quotaResetAtMs, node.passedOn?.quotaResetAtMs ?? null) as number;
  close(move, node, "failed", failure.error);
  row.interruptions = 0;
  row.error = failure.error;
  move.event({
    type: "NodeWaitingQuota",
    nodeId: row.nodeId,
    iteration: row.iteration,
    resetAtMs,
    ...about,
  });
  startWaiting(move, node, {
    state: "waiting-quota",
    dueAtMs: resetAtMs,
    wait: { kind: "quota", ...about },
  });
}

function close(
  move: Move,
  node: NodeRecord,
  state: Exclude<AttemptState, "in-progress">,
  error: SerializedError | null,
): void {
  const attempt = node.row.lastAttempt;
  move.emit({ type: "attempt-closed", key: node.key, attempt, state, error });
  node.passedOn = null;
  vacate(move, node);
}

/** A signal leaves the inbox in the same commit that finishes its waiter. */
function consumeSignal(move: Move, node: NodeRecord): void {
  const { resolution, row } = node;
  node.resolution = null;
  if (resolution?.kind !== "signal") return;
  move.emit({ type: "consume", intentId: resolution.signal.id });
  move.event({
    type: "SignalConsumed",
    nodeId: row.nodeId,
    iteration: row.iteration,
    signal: resolution.signal.name,
    signalSeq: resolution.signal.id,
  });
}

/** What comes after an output is decided by a frame that has seen it: its skipIf, its prompt, whether it exists. */
function openAfterFrame(move: Move, node: NodeRecord): void {
  const { row } = node;
  if (node.vertex >= 0) move.state.toOpen.push(node.vertex);
  else recheckMissing(move, row.nodeId);
  move.wantFrame({ reason: "output", force: false, nodeId: row.nodeId, iteration: row.iteration });
}

/** Tasks that wait for a node which is not mounted any more may be able to start now. */
function recheckMissing(move: Move, nodeId: string): void {
  for (const ids of move.state.graph.missing.values()) {
    if (!ids.includes(nodeId)) continue;
    // Compiling again is rare here and decides every waiting task at once.
    move.wantFrame({ reason: "control", force: true });
    move.state.recompile = true;
    return;
  }
}

function regionOfNode(move: Move, node: NodeRecord): number {
  const vertex: Vertex | undefined = move.state.graph.vertices[node.vertex];
  return vertex?.region ?? -1;
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
