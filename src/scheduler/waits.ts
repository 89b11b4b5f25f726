import { exampleOf } from "../model/example-row.js";
import { type TaskKey, taskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { ApprovalRow } from "../model/approval.js";
import type { NodeWait } from "../model/intent.js";
import type { EventWait, TaskDescriptor, TimerWait } from "../model/task.js";
import { armDue, endWaiting, isTimeOver, startWaiting, withdrawApproval } from "./nodes.js";
import { askPeople, askedFor } from "./questions.js";
import { enqueue } from "./ready.js";
import type { SignalIntent } from "./intents.js";
import { backoffMs } from "./retry.js";
import type { NodeRecord, WaitResolution } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * Waits are states with an address. Whatever ends one is kept as the node's
 * `resolution`; an attempt then turns it into the output row, so that every row
 * comes from an attempt. A crash in between finds the same resolution again:
 * decided approvals are rows, signals stay in the inbox until their waiter has
 * finished, and the row of a node whose time is over says so until it has ended.
 */

/** A timer's fire time is fixed when it is first reached. */
export function waitForTimer(context: StepContext, node: NodeRecord, wait: TimerWait): void {
  const { row } = node;
  const firesAtMs =
    row.dueAtMs ??
    context.state.initialTimers[node.key] ??
    wait.untilMs ??
    context.now + (wait.durationMs as number);
  if (isTimeOver(row)) return resolve(context, node, { kind: "timer", firesAtMs });
  if (row.state !== "waiting-timer") {
    context.event({
      type: "TimerCreated",
      nodeId: row.nodeId,
      iteration: row.iteration,
      timerId: row.nodeId,
      firesAtMs,
      timerType: wait.untilMs === undefined ? "duration" : "absolute",
    });
    context.event({ type: "NodeWaitingTimer", nodeId: row.nodeId, iteration: row.iteration, firesAtMs });
    startWaiting(context, node, { state: "waiting-timer", dueAtMs: firesAtMs, wait: { kind: "timer" } });
  } else {
    armDue(context, node);
  }
  if (firesAtMs <= context.now) fireTimer(context, node);
}

export function fireTimer(context: StepContext, node: NodeRecord): void {
  const firesAtMs = node.row.dueAtMs as number;
  node.row.wait = { kind: "timer", fired: true };
  context.changed(node);
  context.event({
    type: "TimerFired",
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    timerId: node.row.nodeId,
    firesAtMs,
    firedAtMs: context.now,
    delayMs: context.now - firesAtMs,
  });
  resolve(context, node, { kind: "timer", firesAtMs });
}

export interface AwaitedEvent {
  wait: EventWait;
  /** Of the data. */
  schema: TaskDescriptor["outputSchema"];
}

export function waitForEvent(context: StepContext, node: NodeRecord, { wait, schema }: AwaitedEvent): void {
  if (isTimeOver(node.row)) return resolve(context, node, { kind: "timed-out" });
  const signal = takeSignal(context, node, wait);
  if (signal !== undefined) return resolve(context, node, { kind: "signal", signal });
  const { row } = node;
  noteWaiter(context, node, wait);
  if (row.state === "waiting-event") return armDue(context, node);
  const timeoutAtMs = row.dueAtMs ?? (wait.timeoutMs === undefined ? null : context.now + wait.timeoutMs);
  announceAwaited(context, node, { wait, timeoutAtMs });
  startWaiting(context, node, {
    state: "waiting-event",
    dueAtMs: timeoutAtMs,
    wait: awaitedAs({ wait, schema }),
  });
}

/** The signal has not come in time; the node continues without it. */
export function goOnWithout(context: StepContext, node: NodeRecord): void {
  const { row } = node;
  if (row.wait?.kind === "event") row.wait = { ...row.wait, timedOut: true };
  context.changed(node);
  resolve(context, node, { kind: "timed-out" });
}

/** The wait of a node, as its row shows it to senders. */
export function awaitedAs({ wait, schema }: AwaitedEvent): NodeWait {
  return { kind: "event", event: wait.name, ...aboutWait(wait), ...exampleFor(schema) };
}

export function announceAwaited(
  context: StepContext,
  { row: { nodeId, iteration } }: NodeRecord,
  { wait, timeoutAtMs }: { wait: EventWait; timeoutAtMs: number | null },
): void {
  context.event({
    type: "NodeWaitingEvent",
    nodeId,
    iteration,
    event: wait.name,
    ...aboutWait(wait),
    ...(timeoutAtMs !== null && { timeoutAtMs }),
  });
}

function aboutWait({ correlationId, hasOwnSchema }: EventWait) {
  return {
    ...(correlationId !== undefined && { correlationId }),
    ...(hasOwnSchema === true && { hasOwnSchema: true as const }),
  };
}

/** An example for people who have to write a value that fits. */
function exampleFor(schema: TaskDescriptor["outputSchema"]): { example?: unknown } {
  const example = schema === undefined ? undefined : exampleOf(schema);
  return example === undefined ? {} : { example };
}

function noteWaiter(context: StepContext, node: NodeRecord, wait: EventWait): void {
  const { eventWaiters } = context.state;
  const keys = eventWaiters.get(wait.name);
  if (keys === undefined) eventWaiters.set(wait.name, new Set([node.key]));
  else keys.add(node.key);
}

/** The oldest signal with exactly this name and correlation id; no other node gets it from now on. */
function takeSignal(context: StepContext, node: NodeRecord, wait: EventWait): SignalIntent | undefined {
  const { signals } = context.state;
  const at = signals.findIndex((signal) => matches(signal, wait) && isInTime(node, signal.atMs));
  return at < 0 ? undefined : signals.splice(at, 1)[0];
}

/** An answer after the wait's time is too late, also when no process was there to end the wait. */
export function isInTime({ row }: NodeRecord, atMs: number): boolean {
  return row.dueAtMs === null || atMs <= row.dueAtMs;
}

export function matches(signal: SignalIntent, wait: EventWait): boolean {
  return signal.name === wait.name && signal.correlationId === wait.correlationId;
}

/** Gives a signal to the first waiter in document order, or keeps it in the order of arrival. */
export function deliverSignal(context: StepContext, signal: SignalIntent): void {
  const { eventWaiters, nodes } = context.state;
  const keys = eventWaiters.get(signal.name) ?? new Set<TaskKey>();
  let first: NodeRecord | undefined;
  for (const key of keys) {
    const node = nodes.get(key);
    const wait = node?.task?.eventWait;
    if (node === undefined || wait?.name !== signal.name || node.row.state !== "waiting-event") {
      keys.delete(key);
      continue;
    }
    if (node.resolution !== null || !matches(signal, wait) || !isInTime(node, signal.atMs)) continue;
    if (first === undefined || node.vertex < first.vertex) first = node;
  }
  if (first === undefined) keepSignal(context, signal);
  else resolve(context, first, { kind: "signal", signal });
}

function keepSignal(context: StepContext, signal: SignalIntent): void {
  const { signals } = context.state;
  const at = signals.findLastIndex((other) => other.id < signal.id);
  signals.splice(at + 1, 0, signal);
}

/** Offers signals that their waiters gave back to the others. */
export function redeliverReturned(context: StepContext): void {
  const { returned } = context.state;
  if (returned.length === 0) return;
  context.state.returned = [];
  for (const signal of returned) deliverSignal(context, signal);
}

/**
 * The request whose decision counts for this node: one that was made on what the
 * task asks now. It also counts again after it was put aside, because the block
 * around it begins again. A decision on something else is dropped, and says so.
 */
export function decidedRequest(
  context: StepContext,
  node: NodeRecord,
  task: TaskDescriptor,
): ApprovalRow | undefined {
  const request = context.state.approvals.get(node.key);
  if (request === undefined || request.decision === null) return undefined;
  const asked = approvalRequest(context, node, task);
  if (request.requestHash !== asked.requestHash) {
    if (request.status !== "withdrawn") dropDecision(context, request, asked);
    return undefined;
  }
  if (request.status !== "withdrawn") return request;
  const status = request.decision.approved ? ("approved" as const) : ("denied" as const);
  const again = { ...request, status };
  context.state.approvals.set(node.key, again);
  context.emit({ type: "approval", row: again });
  return again;
}

function dropDecision(context: StepContext, decided: ApprovalRow, asked: ApprovalRow): void {
  const { nodeId, iteration, decision } = decided;
  // Recorded once, however often the node is looked at.
  context.state.approvals.set(taskKey({ nodeId, iteration }), { ...decided, status: "withdrawn" });
  context.event({
    type: "DecisionRefused",
    nodeId,
    iteration,
    code: "REQUEST_CHANGED",
    message: `${nodeId} asks "${asked.request.title}" by now; the decision on "${decided.request.title}" does not count.`,
    approved: decision?.approved === true,
    ...(decision?.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...(decision?.note !== undefined && { note: decision.note }),
    shown: { ...decided.request },
    asked: { ...asked.request },
  });
}

/** Asks for a decision. */
export function waitForApproval(context: StepContext, node: NodeRecord, task: TaskDescriptor): void {
  const { row } = node;
  if (row.state === "waiting-approval") return armDue(context, node);
  askPeople(context, "ApprovalRequested", approvalRequest(context, node, task));
  context.event({ type: "NodeWaitingApproval", nodeId: row.nodeId, iteration: row.iteration });
  // A gated task's own timeout belongs to its attempt, not to the person who decides.
  const timeoutMs = task.kind === "approval" || task.kind === "human" ? task.timeoutMs : null;
  startWaiting(context, node, {
    state: "waiting-approval",
    wait: { kind: "approval", ...(task.kind === "human" && exampleFor(task.outputSchema)) },
    dueAtMs: timeoutMs === null ? null : context.now + timeoutMs,
  });
}

/** No answer has come in time, and the author wants the question to be asked more than once. */
export function askAgain(context: StepContext, node: NodeRecord, task: TaskDescriptor): void {
  const { row } = node;
  const { retryPolicy } = task;
  row.failures += 1;
  // Without a policy of its own it is asked at once: people are not to be spared, as services are.
  const delayMs = retryPolicy === undefined ? 0 : backoffMs(retryPolicy, row.failures);
  if (delayMs > 0) withdrawApproval(context, node);
  row.state = "pending";
  endWaiting(node);
  if (delayMs === 0) return waitForApproval(context, node, task);
  row.dueAtMs = context.now + delayMs;
  const { nodeId, iteration, lastAttempt: attempt } = row;
  context.event({ type: "NodeRetrying", nodeId, iteration, attempt, retryAtMs: row.dueAtMs });
  armDue(context, node);
  context.changed(node);
}

/** It is to be asked again, and not yet. */
export function isPausing({ row }: NodeRecord, task: TaskDescriptor, now: number): boolean {
  return task.kind === "approval" && row.state === "pending" && row.dueAtMs !== null && row.dueAtMs > now;
}

export function approvalRequest(context: StepContext, node: NodeRecord, task: TaskDescriptor): ApprovalRow {
  const asked = task.approvalRequest ?? { title: task.label ?? task.nodeId };
  const request =
    task.kind === "human"
      ? { ...asked, asksForData: true, ...(task.prompt !== undefined && { summary: task.prompt }) }
      : asked;
  return askedFor(
    {
      nodeId: node.row.nodeId,
      iteration: node.row.iteration,
      mode: task.approvalMode ?? "gate",
      request,
      options: task.approvalOptions ?? null,
      allowedScopes: task.approvalAllowedScopes ?? null,
      allowedUsers: task.approvalAllowedUsers ?? null,
    },
    context.now,
  );
}

/** Ends a wait: the node may now run the attempt that writes its row. */
export function resolve(context: StepContext, node: NodeRecord, resolution: WaitResolution): void {
  node.resolution = resolution;
  context.state.isConfirmed = false;
  enqueue(context, node);
}

export function timeoutError(node: NodeRecord, what: string): SerializedError {
  return {
    name: "ServiceError",
    code: "TASK_TIMEOUT",
    message: `${what} of ${node.row.nodeId} was not answered in time.`,
    details: { nodeId: node.row.nodeId, iteration: node.row.iteration },
  };
}
