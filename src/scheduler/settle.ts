import type { SerializedError } from "../errors/ensure-error.js";
import { isTerminalNode } from "../model/node.js";
import type { WaitingStatus } from "../model/run.js";
import type { Vertex } from "./graph-types.js";
import { nextDeadline } from "./deadlines.js";
import { dependencyIds } from "../model/dependencies.js";
import { heldAs } from "./holds.js";
import { stuckFork } from "./forks.js";
import { letsGoOn, missingDependencies } from "./nodes.js";
import { mayStart } from "./ready.js";
import { isAsking } from "./slots.js";
import {
  type ContinuationRequest,
  type FrameRequest,
  idleNodes,
  type NodeRecord,
  type RunFailure,
  type SchedulerState,
} from "./state.js";

/** Where a run stands once a step has been taken. */
export type Standing =
  /** Render, tell the scheduler, and look again. */
  | { kind: "render"; request: FrameRequest }
  /** Tasks may start: once nothing else of the turn is to be decided, tell the scheduler, and look again. */
  | { kind: "start" }
  /** Attempts are in progress, a back-off is running, or a deadline has come. */
  | { kind: "active" }
  /** Only outside decisions, events or time can move it. */
  | { kind: "waiting"; status: WaitingStatus }
  | { kind: "finished" }
  | { kind: "failed"; failure: RunFailure }
  | { kind: "cancelled"; reason?: string; requestedBy?: string }
  | { kind: "continued"; continuation: ContinuationRequest };

/** Of several waits the first of these is the run's status. */
const WAIT_ORDER: readonly WaitingStatus[] = [
  "waiting-approval",
  "waiting-event",
  "waiting-timer",
  "waiting-quota",
];

export function standing(state: SchedulerState): Standing {
  if (state.wantsFrame !== null) return { kind: "render", request: state.wantsFrame };
  if (mayStart(state)) return { kind: "start" };
  if (state.running.size > 0) return { kind: "active" };
  if (state.cancelling !== null) return { kind: "cancelled", ...state.cancelling };
  if (state.failure !== null) return { kind: "failed", failure: state.failure };
  const held = heldAs(state);
  if (held !== null && !state.stopping) return { kind: "waiting", status: held };
  if (state.continuation !== null) return { kind: "continued", continuation: state.continuation };

  const isDone = (state.graph.vertices[state.graph.root] as Vertex).open;
  // What stands still because nothing may start any more is neither stuck nor only waiting.
  if (state.stopping && !isDone) return { kind: "active" };

  if (isBackingOff(state) || isAsking(state)) return { kind: "active" };
  // Nothing moves. A tree may depend on more than the run's own rows, so it is asked once more.
  if (!state.settled) return { kind: "render", request: { reason: "settle", force: true } };
  if (isDone) return { kind: "finished" };
  const status = WAIT_ORDER.find((wait) => isWaitedFor(state, wait));
  if (status !== undefined) {
    // A wait that this process found overdue ends with the next tick.
    const isOverdue = (nextDeadline(state) ?? Number.POSITIVE_INFINITY) <= state.now;
    return isOverdue ? { kind: "active" } : { kind: "waiting", status };
  }
  return { kind: "failed", failure: { key: null, error: deadlock(state) } };
}

function isWaitedFor(state: SchedulerState, wait: WaitingStatus): boolean {
  for (const node of idleNodes(state, wait)) {
    // What has what it waited for only waits for its turn.
    if (node.task !== null && node.resolution === null) return true;
  }
  return false;
}

function isBackingOff(state: SchedulerState): boolean {
  for (const node of idleNodes(state, "back-off")) {
    if (node.task !== null && node.armedAtMs === node.row.dueAtMs) return true;
  }
  return false;
}

/** Names every task that can never start and what it waits for; a fork that cannot be is the cause by itself. */
function deadlock(state: SchedulerState): SerializedError {
  const stuck: Record<string, string[]> = {};
  for (const node of state.nodes.values()) {
    if (node.task === null || isTerminalNode(node.row.state)) continue;
    const fork = stuckFork(state, node);
    if (fork !== null) return fork;
    const missing = missingDependencies(state, node);
    stuck[node.key] = missing.length > 0 ? missing : unmet(state, node);
  }
  const named = (id: string) => (isMounted(state, id) ? id : `${id}, which no task is`);
  const list = Object.entries(stuck)
    .map(([key, ids]) => (ids.length > 0 ? `${key} waits for ${ids.map(named).join(" and ")}` : key))
    .join("; ");
  return {
    name: "ServiceError",
    code: "SCHEDULER_ERROR",
    message: `Nothing runs and nothing is waited for, but ${Object.keys(stuck).length} task(s) can never start: ${list}.${nestedNames(state, stuck)}`,
    details: { stuck },
    retryable: false,
  };
}

function isMounted({ latest, newestNested }: SchedulerState, id: string): boolean {
  return latest.has(id) || newestNested.has(id);
}

/** How to name what stands in nested loops, where somebody waits for its plain id. */
function nestedNames(state: SchedulerState, stuck: Record<string, string[]>): string {
  const names = new Map<string, string>();
  for (const id of Object.values(stuck).flat()) {
    const nested = state.newestNested.get(id);
    if (nested !== undefined && !state.latest.has(id)) names.set(id, nested);
  }
  return [...names]
    .map(
      ([id, nested]) =>
        ` ${id} stands in nested loops: from outside it is named with their iterations, ${nested}.`,
    )
    .join("");
}

function unmet(state: SchedulerState, node: NodeRecord): string[] {
  const ids: string[] = [];
  for (const id of node.task === null ? [] : dependencyIds(node.task)) {
    const key = state.latest.get(id);
    const other = key === undefined ? undefined : state.nodes.get(key);
    if (other !== undefined && !letsGoOn(other)) ids.push(other.row.nodeId);
  }
  return ids;
}
