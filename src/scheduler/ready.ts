import type { TaskKey } from "../model/address.js";
import { isWaitKind } from "../model/wait-kind.js";
import type { CapGroup, Vertex } from "./graph-types.js";
import { isTimeOver, missingDependencies } from "./nodes.js";
import { askForSlot, freeSlot, returnGranted, slotToAsk, useSlot } from "./slots.js";
import { isEnding, type NodeRecord, type SchedulerState } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * The ready queue: eligible tasks in document order under every cap that
 * encloses them. A task that finds a group full waits in that group, so it does
 * not hold up tasks of other groups.
 */
export function enqueue(context: StepContext, node: NodeRecord): void {
  if (node.queued || !isReached(context, node)) return;
  node.queued = true;
  // A new plan queues it again; it has been waiting all the while.
  node.readyAtMs ??= context.now;
  context.state.graph.ready.push(node.vertex);
}

/** Less than this passes within a turn, and says nothing, milliseconds. */
const SHORTEST_TOLD_WAIT_MS = 10;

/** Nothing before it is pending, under the plan of this frame. A node that is not reached yet is queued when it is. */
export function isReached(context: StepContext, node: NodeRecord): boolean {
  const vertex = context.state.graph.vertices[node.vertex];
  return vertex?.pending === 0 && missingDependencies(context.state, node).length === 0;
}

/** A task is queued, and nothing but a cap may keep it from starting. */
export function mayStart(state: SchedulerState): boolean {
  if (state.graph.ready.size === 0 || state.running.size >= state.maxConcurrency) return false;
  return !isEnding(state) && !state.stopping && state.holds.size === 0;
}

/**
 * Starts as many eligible tasks as the caps allow. Called once a turn, when all
 * that has arrived is decided: a task then starts with the props of a frame that
 * has seen everything before it, and nothing that the turn takes back has begun.
 */
export function startReady(context: StepContext): void {
  const { state } = context;
  if (state.wantsFrame !== null || !mayStart(state)) return;
  startEach(context);
  if (state.granted.size > 0) returnGranted(context);
}

function startEach(context: StepContext): void {
  const { state } = context;
  const { ready, vertices, caps } = state.graph;
  while (state.running.size < state.maxConcurrency) {
    const index = ready.pop();
    if (index === undefined) return;
    const vertex = vertices[index] as Vertex;
    const node = state.nodes.get(vertex.key);
    const isStale = node === undefined || !node.queued || node.vertex !== index;
    const full = vertex.caps.find((at) => isFull(caps[at] as CapGroup));
    if (!isStale && full === undefined) {
      const limits = slotToAsk(state, node);
      if (limits === null) {
        start(context, node, vertex);
        continue;
      }
      askForSlot(context, node, limits);
    }
    if (!isStale && full !== undefined) (caps[full] as CapGroup).waiting.push(index);
    // Whatever slot this one was woken for may serve another.
    wakeNext(context, vertex);
  }
}

function isFull(group: CapGroup): boolean {
  return group.running >= group.limit;
}

/** Lets the first waiting task of every enclosing group with a free slot try again. */
function wakeNext(context: StepContext, vertex: Vertex): void {
  const { caps, ready } = context.state.graph;
  for (const at of vertex.caps) {
    const group = caps[at] as CapGroup;
    const next = isFull(group) ? undefined : group.waiting.pop();
    if (next !== undefined) ready.push(next);
  }
}

function start(context: StepContext, node: NodeRecord, vertex: Vertex): void {
  const { state, now } = context;
  const { row, task } = node;
  if (task === null) return;
  node.queued = false;
  if (node.slot !== null) useSlot(context, node);
  const attempt = row.lastAttempt + 1;
  row.lastAttempt = attempt;
  // Where the row goes is settled when the work begins, whatever later frames say.
  if (node.task !== null) row.outputKey = node.task.outputKey;
  row.state = "in-progress";
  // A wait keeps its deadline: should this attempt die with its process, the next one must not wait anew.
  if (!isWaitKind(task.kind)) row.dueAtMs = null;
  row.waitingSinceMs = null;
  // The same holds for the recorded end of its wait.
  if (!isTimeOver(row)) row.wait = null;
  // The timeouts of waits run while they wait, not during the attempt that writes their row.
  const timeoutMs = isWaitKind(task.kind) ? null : task.timeoutMs;
  const { heartbeatTimeoutMs } = task;
  // The clock may have been set back meanwhile.
  const waitedMs = Math.max(0, now - (node.readyAtMs ?? now));
  node.attempt = {
    no: attempt,
    startedAtMs: now,
    waitedMs,
    heartbeatAtMs: now,
    timeoutMs,
    heartbeatTimeoutMs,
    aborting: null,
    calledOff: false,
    woken: false,
  };
  node.readyAtMs = null;
  state.running.add(node.key);
  occupy(context, vertex);
  const deadline = { key: node.key, attempt, order: node.vertex };
  if (timeoutMs !== null) state.deadlines.push({ ...deadline, kind: "timeout", atMs: now + timeoutMs });
  if (heartbeatTimeoutMs !== null) {
    state.deadlines.push({ ...deadline, kind: "heartbeat", atMs: now + heartbeatTimeoutMs });
  }
  context.changed(node);
  const queued = waitedMs < SHORTEST_TOLD_WAIT_MS ? {} : { waitedMs };
  context.event({ type: "NodeStarted", nodeId: row.nodeId, iteration: row.iteration, attempt, ...queued });
  context.emit({ type: "start", key: node.key, attempt });
}

/** It is in progress again until its outcome, which is known, is told. Where it stands, the first frame says. */
export function adoptAttempt(
  { state, now }: StepContext,
  { key, attempt, startedAtMs }: { key: TaskKey; attempt: number; startedAtMs: number },
): void {
  const node = state.nodes.get(key);
  if (node === undefined || node.attempt !== null || node.row.lastAttempt !== attempt) return;
  node.attempt = {
    no: attempt,
    startedAtMs,
    waitedMs: 0,
    heartbeatAtMs: now,
    timeoutMs: null,
    heartbeatTimeoutMs: null,
    aborting: null,
    calledOff: false,
    woken: false,
  };
  state.running.add(key);
}

export function occupy(context: StepContext, vertex: Vertex): void {
  for (const at of vertex.caps) (context.state.graph.caps[at] as CapGroup).running += 1;
}

/** Frees an ended attempt's slots and lets the next of each group try again. */
export function vacate(context: StepContext, node: NodeRecord): void {
  context.state.running.delete(node.key);
  node.attempt = null;
  if (node.slot !== null) freeSlot(context, node);
  const vertex = context.state.graph.vertices[node.vertex];
  if (vertex === undefined) return;
  for (const at of vertex.caps) (context.state.graph.caps[at] as CapGroup).running -= 1;
  wakeNext(context, vertex);
}
