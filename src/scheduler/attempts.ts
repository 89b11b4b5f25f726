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
import type { Turn } from "./turn.js";
import { waitForApproval } from "./waits.js";

/** How attempts end. Results of attempts that are no longer the current one are dropped by `currentAttempt`. */

export function currentAttempt(turn: Turn, key: TaskKey, attempt: number): NodeRecord | undefined {
  const node = turn.state.nodes.get(key);
  return node?.attempt?.no === attempt ? node : undefined;
}

export function finishAttempt(turn: Turn, node: NodeRecord, cached: boolean): void {
  const { row } = node;
  row.interruptions = 0;
  consumeSignal(turn, node);
  // What the cache answers has used nothing.
  if (cached && node.slot !== null) node.slot.isUnused = true;
  close(turn, node, "finished", null);
  endWaiting(node);
  row.state = "finished";
  row.error = null;
  row.finishedSeq = turn.state.finished;
  turn.state.finished += 1;
  turn.event({
    type: "NodeFinished",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
    ...(cached && { cached }),
  });
  turn.changed(node);
  openAfterFrame(turn, node);
  regionTaskEnded(turn, regionOfNode(turn, node));
}

export function failAttempt(
  turn: Turn,
  node: NodeRecord,
  failure: { error: SerializedError; quotaResetAtMs?: number },
): void {
  const { state, now } = turn;
  const { row, task } = node;
  const error = addressed(failure.error, node);
  if (state.cancelling !== null) return cancelAttempt(turn, node, error);
  const isWanted = task !== null && state.failure === null && isRegionActive(turn, regionOfNode(turn, node));
  if (failure.quotaResetAtMs !== undefined && isWanted) {
    return parkForQuota(turn, node, { ...failure, error, quotaResetAtMs: failure.quotaResetAtMs });
  }
  close(turn, node, "failed", error);
  row.interruptions = 0;
  row.failures += 1;
  const fingerprint = failureFingerprint(error);
  row.identicalFailures = row.failureFingerprint === fingerprint ? row.identicalFailures + 1 : 1;
  row.failureFingerprint = fingerprint;
  row.error = error;
  const address = { nodeId: row.nodeId, iteration: row.iteration, attempt: row.lastAttempt };
  turn.event({ type: "NodeFailed", ...address, error });
  // Nobody waits for another attempt of a task that left the tree or whose block, or run, has failed.
  const decision = isWanted ? decideRetry(task, row, error) : { kind: "give-up" as const, error };
  if (decision.kind === "give-up") {
    // It was this waiter's signal, although it could not make a row of it.
    consumeSignal(turn, node);
    return settleFailure(turn, node, decision.error);
  }
  if (isWanted && task.kind === "human") {
    // The answer did not fit: the same person is asked again, not the same answer tried again.
    state.approvals.delete(node.key);
    node.resolution = null;
    row.state = "pending";
    waitForApproval(turn, node, task);
    return regionTaskEnded(turn, regionOfNode(turn, node));
  }
  const retryAtMs = now + decision.delayMs;
  row.state = "pending";
  row.dueAtMs = retryAtMs;
  turn.event({ type: "NodeRetrying", ...address, retryAtMs });
  armDue(turn, node);
  turn.changed(node);
  regionTaskEnded(turn, regionOfNode(turn, node));
}

/** A task that fails before any attempt: a denied approval, a wait that ran out. */
export function failAttemptless(
  turn: Turn,
  node: NodeRecord,
  failure: { code: string; message: string },
): void {
  const error = addressed({ name: "ServiceError", ...failure, retryable: false }, node);
  const { row } = node;
  turn.event({
    type: "NodeFailed",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
    error,
  });
  settleFailure(turn, node, error);
}

/** Each of its last attempts took the process along; the next one would, too. */
export function failInterrupted(turn: Turn, node: NodeRecord): void {
  const { row } = node;
  const times = row.interruptions;
  // Whoever gives it another chance gives it the whole one.
  row.interruptions = 0;
  failAttemptless(turn, node, {
    code: "TASK_INTERRUPTED_TOO_OFTEN",
    message: `Task ${row.nodeId} was interrupted ${times} times in a row: each time its process died before the attempt could end.`,
  });
}

/** No attempt follows: the failure is tolerated, handled by a scope, or fails the run. */
function settleFailure(turn: Turn, node: NodeRecord, error: SerializedError): void {
  failNode(turn, node, error);
  const region = regionOfNode(turn, node);
  if (node.task === null) {
    // It left the tree while it ran; nothing waits for it any more.
    recheckMissing(turn, node.row.nodeId);
  } else if (node.task.continueOnFail) {
    openAfterFrame(turn, node);
  } else {
    failRegion(turn, region, { key: node.key, error });
  }
  regionTaskEnded(turn, region);
}

/** The attempt found that the task does not apply. */
export function skipAttempt(turn: Turn, node: NodeRecord, reason: string): void {
  close(turn, node, "finished", null);
  skipNode(turn, node, reason);
  if (node.vertex >= 0) openIfReached(turn, node);
  else recheckMissing(turn, node.row.nodeId);
  regionTaskEnded(turn, regionOfNode(turn, node));
}

/** The attempt was stopped by its process, or the process died: it does not count. */
export function interruptAttempt(
  turn: Turn,
  node: NodeRecord,
  interruption: { attempt: number; reason: string; byDeath?: true },
): void {
  const { row } = node;
  const { attempt, reason } = interruption;
  if (interruption.byDeath === true) row.interruptions += 1;
  turn.emit({ type: "attempt-closed", key: node.key, attempt, state: "interrupted", error: null });
  turn.event({ type: "NodeInterrupted", nodeId: row.nodeId, iteration: row.iteration, attempt, reason });
  if (node.attempt === null ? row.state !== "in-progress" : node.attempt.no !== attempt) return;
  if (node.attempt !== null) vacate(turn, node);
  row.state = "pending";
  turn.changed(node);
  // Before the first frame nothing is mounted; after it, whoever left the tree while it ran does not run again.
  if (node.task === null && turn.state.graph !== emptyGraph) unmountNode(turn, node);
}

/** The node waits for its child run, or for a person at its session; the attempt does not count. */
export function parkAttempt(
  turn: Turn,
  node: NodeRecord,
  { status, reason }: { status: WaitingStatus; reason: string },
): void {
  const { aborting = null, woken = false } = node.attempt ?? {};
  if (aborting !== null) return failAttempt(turn, node, { error: aborting });
  const { row } = node;
  const attempt = row.lastAttempt;
  const region = regionOfNode(turn, node);
  row.interruptions = 0;
  interruptAttempt(turn, node, { attempt, reason });
  if (node.task === null) return;
  if (isRegionActive(turn, region)) {
    if (woken) return enqueue(turn, node);
    const wait = { kind: row.kind === "subflow" ? "child" : "hijack" } as const;
    return startWaiting(turn, node, { state: status, dueAtMs: null, wait });
  }
  skipNode(turn, node, "the block around it is over");
  openIfReached(turn, node);
  regionTaskEnded(turn, region);
}

/** The attempt does not count: the next one begins with the agent that this one could not ask. */
export function passAttemptOn(turn: Turn, node: NodeRecord, to: PassedOn): void {
  const aborting = node.attempt?.aborting ?? null;
  if (aborting !== null) return failAttempt(turn, node, { error: aborting });
  const region = regionOfNode(turn, node);
  const earlier = node.passedOn?.quotaResetAtMs ?? null;
  const reason = "it needs a slot of the limit of the next agent";
  node.row.interruptions = 0;
  interruptAttempt(turn, node, { attempt: node.row.lastAttempt, reason });
  if (node.task === null) return;
  node.passedOn = { agentAt: to.agentAt, quotaResetAtMs: earliest(earlier, to.quotaResetAtMs) };
  if (isRegionActive(turn, region)) return enqueue(turn, node);
  skipNode(turn, node, "the block around it is over");
  openIfReached(turn, node);
  regionTaskEnded(turn, region);
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

export function cancelAttempt(turn: Turn, node: NodeRecord, error: SerializedError): void {
  const { row } = node;
  close(turn, node, "cancelled", error);
  endWaiting(node);
  row.state = "cancelled";
  turn.event({
    type: "NodeCancelled",
    nodeId: row.nodeId,
    iteration: row.iteration,
    attempt: row.lastAttempt,
  });
  turn.changed(node);
}

/** Every agent is out of quota: the attempt does not count and the node waits for the reset. */
function parkForQuota(
  turn: Turn,
  node: NodeRecord,
  failure: { error: SerializedError; quotaResetAtMs: number },
): void {
  const { row } = node;
  const agentId = failure.error.details?.agentId;
  const about = typeof agentId === "string" ? { agentId } : {};
  const resetAtMs = earliest(failure.quotaResetAtMs, node.passedOn?.quotaResetAtMs ?? null) as number;
  close(turn, node, "failed", failure.error);
  row.error = failure.error;
  turn.event({
    type: "NodeWaitingQuota",
    nodeId: row.nodeId,
    iteration: row.iteration,
    resetAtMs,
    ...about,
  });
  startWaiting(turn, node, {
    state: "waiting-quota",
    dueAtMs: resetAtMs,
    wait: { kind: "quota", ...about },
  });
}

function close(
  turn: Turn,
  node: NodeRecord,
  state: Exclude<AttemptState, "in-progress">,
  error: SerializedError | null,
): void {
  const attempt = node.row.lastAttempt;
  turn.emit({ type: "attempt-closed", key: node.key, attempt, state, error });
  node.passedOn = null;
  vacate(turn, node);
}

/** A signal leaves the inbox in the same commit that finishes its waiter. */
function consumeSignal(turn: Turn, node: NodeRecord): void {
  const { resolution, row } = node;
  node.resolution = null;
  if (resolution?.kind !== "signal") return;
  turn.emit({ type: "consume", intentId: resolution.signal.id });
  turn.event({
    type: "SignalConsumed",
    nodeId: row.nodeId,
    iteration: row.iteration,
    signal: resolution.signal.name,
    signalSeq: resolution.signal.id,
  });
}

/** What comes after an output is decided by a frame that has seen it: its skipIf, its prompt, whether it exists. */
function openAfterFrame(turn: Turn, node: NodeRecord): void {
  const { row } = node;
  if (node.vertex >= 0) turn.state.toOpen.push(node.vertex);
  else recheckMissing(turn, row.nodeId);
  turn.wantFrame({ reason: "output", force: false, nodeId: row.nodeId, iteration: row.iteration });
}

/** Tasks that wait for a node which is not mounted any more may be able to start now. */
function recheckMissing(turn: Turn, nodeId: string): void {
  for (const ids of turn.state.graph.missing.values()) {
    if (!ids.includes(nodeId)) continue;
    // Compiling again is rare here and decides every waiting task at once.
    turn.wantFrame({ reason: "control", force: true });
    turn.state.recompile = true;
    return;
  }
}

function regionOfNode(turn: Turn, node: NodeRecord): number {
  const vertex: Vertex | undefined = turn.state.graph.vertices[node.vertex];
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
