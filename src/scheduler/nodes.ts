import type { SerializedError } from "../errors/ensure-error.js";
import type { NodeWait } from "../model/intent.js";
import { isDoneNode, isTerminalNode, type NodeRow, UNTRIED } from "../model/node.js";
import type { WaitingStatus } from "../model/run.js";
import type { TaskDescriptor } from "../model/task.js";
import type { Vertex } from "./graph-types.js";
import { addNode, type NodeRecord, type SchedulerState } from "./state.js";
import type { StepContext } from "./step-context.js";

/** Node transitions that need no decision. Each keeps the row, the event log and the graph in step. */

/** The node counts as done for whatever comes after it. A failure that left the tree did not stop the run. */
export function letsGoOn(node: NodeRecord): boolean {
  const { state } = node.row;
  if (isDoneNode(state)) return true;
  return state === "failed" && (node.task === null || node.task.continueOnFail);
}

/** The ids a task waits for that are neither mounted nor done. */
export function missingDependencies(state: SchedulerState, node: NodeRecord): string[] {
  const ids = state.graph.missing.get(node.key) ?? [];
  return ids.filter((id) => {
    const latest = state.latest.get(id);
    const known = latest === undefined ? undefined : state.nodes.get(latest);
    return known === undefined || !letsGoOn(known);
  });
}

export function mountNode(context: StepContext, task: TaskDescriptor, vertex: number): NodeRecord {
  const { key } = context.state.graph.vertices[vertex] as Vertex;
  const known = context.state.nodes.get(key);
  if (known !== undefined) {
    known.task = task;
    known.vertex = vertex;
    const { row } = known;
    row.kind = task.kind;
    if (row.state === "cancelled") {
      // It was unmounted before it started and is back.
      row.state = "pending";
      row.fingerprint = task.fingerprint;
      context.event({ type: "NodePending", nodeId: row.nodeId, iteration: row.iteration });
      context.changed(known);
    } else if (row.fingerprint !== task.fingerprint && !isTerminalNode(row.state)) {
      row.fingerprint = task.fingerprint;
      context.emit({ type: "node", key: known.key });
    }
    return known;
  }
  const node = addNode(context.state, {
    nodeId: task.nodeId,
    iteration: task.iteration,
    lastAttempt: 0,
    kind: task.kind,
    outputKey: task.outputKey,
    loopId: task.ralphId ?? null,
    label: task.label ?? null,
    fingerprint: task.fingerprint,
    updatedAtMs: context.now,
    // Last: spread first, making the row takes twenty times as long.
    ...UNTRIED,
  });
  node.task = task;
  node.vertex = vertex;
  context.event({ type: "NodePending", nodeId: task.nodeId, iteration: task.iteration });
  context.changed(node);
  return node;
}

/** A node that left the tree does not run, or not again; attempts in progress continue. */
export function unmountNode(context: StepContext, node: NodeRecord): void {
  node.task = null;
  node.vertex = -1;
  node.queued = false;
  node.readyAtMs = null;
  if (node.attempt !== null || isTerminalNode(node.row.state)) return;
  cancelTimer(context, node);
  withdrawApproval(context, node);
  endWaiting(node);
  returnResolution(context, node);
  node.row.state = "cancelled";
  context.event({
    type: "NodeCancelled",
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    reason: leftBecause(node),
  });
  context.changed(node);
}

/** The run continues as another one: what has begun here, or waits, does so there. Timers go along, and are not cancelled. */
export function leaveBegun(context: StepContext, runId: string): void {
  for (const node of context.state.nodes.values()) {
    const { row } = node;
    const isUntouched = row.state === "pending" && row.lastAttempt === 0 && row.wait === null;
    if (isUntouched || isTerminalNode(row.state)) continue;
    withdrawApproval(context, node);
    endWaiting(node);
    row.state = "cancelled";
    const { nodeId, iteration } = row;
    context.event({ type: "NodeCancelled", nodeId, iteration, reason: `the run continues as ${runId}` });
    context.changed(node);
  }
}

function leftBecause({ row }: NodeRecord): string {
  if (row.lastAttempt > 0) return "it left the tree before another attempt";
  return "it left the tree before it started";
}

export function startWaiting(
  context: StepContext,
  node: NodeRecord,
  as: { state: WaitingStatus; dueAtMs: number | null; wait: NodeWait },
): void {
  const { state, dueAtMs, wait } = as;
  node.row.wait = wait;
  node.row.state = state;
  node.row.waitingSinceMs = context.now;
  node.row.dueAtMs = dueAtMs;
  armDue(context, node);
  context.changed(node);
}

/** Sees to it that the node is looked at when its `dueAtMs` has come. */
export function armDue(context: StepContext, node: NodeRecord): void {
  const { dueAtMs } = node.row;
  if (dueAtMs === null || dueAtMs === node.armedAtMs) return;
  node.armedAtMs = dueAtMs;
  context.state.deadlines.push({ atMs: dueAtMs, key: node.key, kind: "due", attempt: 0, order: node.vertex });
}

export function endWaiting(node: NodeRecord): void {
  node.row.waitingSinceMs = null;
  node.row.wait = null;
  node.row.dueAtMs = null;
}

/** The node's time has come and is recorded, perhaps by a process that is gone. */
export function isTimeOver({ wait }: NodeRow): boolean {
  return (
    (wait?.kind === "timer" && wait.fired === true) || (wait?.kind === "event" && wait.timedOut === true)
  );
}

/** Its request needs no decision any more. To be called before its state changes. */
export function withdrawApproval(context: StepContext, node: NodeRecord): void {
  if (node.row.state !== "waiting-approval") return;
  const request = context.state.approvals.get(node.key);
  if (request === undefined || request.decision !== null) return;
  const withdrawn = { ...request, status: "withdrawn" as const };
  context.state.approvals.set(node.key, withdrawn);
  context.emit({ type: "approval", row: withdrawn });
}

/** The answer that had ended its wait is not used: its signal is free for other nodes. */
export function returnResolution(context: StepContext, node: NodeRecord): void {
  if (node.resolution?.kind === "signal") context.state.returned.push(node.resolution.signal);
  node.resolution = null;
}

/** What the log says of a node that is skipped. */
interface LeftOut {
  reason?: string | undefined;
  skippedBy?: string | undefined;
}

/** Marks a node skipped. Its vertex is the caller's to open. */
export function skipNode(context: StepContext, node: NodeRecord, why: string | LeftOut = {}): void {
  const { reason, skippedBy } = typeof why === "string" ? { reason: why, skippedBy: undefined } : why;
  cancelTimer(context, node);
  withdrawApproval(context, node);
  endWaiting(node);
  returnResolution(context, node);
  node.row.state = "skipped";
  context.event({
    type: "NodeSkipped",
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    ...(reason !== undefined && { reason }),
    ...(skippedBy !== undefined && { skippedBy }),
  });
  context.changed(node);
}

/** A timer that will not fire says so. A subflow that waits for its child's timer has none of its own, and an output. */
export function cancelTimer(context: StepContext, { row }: NodeRecord): void {
  if (row.state !== "waiting-timer" || row.outputKey !== "" || isTimeOver(row)) return;
  context.event({
    type: "TimerCancelled",
    nodeId: row.nodeId,
    iteration: row.iteration,
    timerId: row.nodeId,
  });
}

/** A failure that stands: no attempt follows. Handling it is the caller's. */
export function failNode(context: StepContext, node: NodeRecord, error: SerializedError): void {
  withdrawApproval(context, node);
  endWaiting(node);
  node.row.state = "failed";
  node.row.error = error;
  context.changed(node);
}

/** Opens a done node's vertex, unless something before it is still pending under a newer plan. */
export function openIfReached(context: StepContext, node: NodeRecord): void {
  const vertex = context.state.graph.vertices[node.vertex];
  if (vertex !== undefined && vertex.pending === 0) context.open(node.vertex);
}
