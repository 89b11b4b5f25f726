import type { WaitingStatus } from "../model/run.js";
import type { Vertex } from "./graph-types.js";
import { deadlock } from "./deadlock.js";
import { nextDeadline } from "./deadlines.js";
import { heldAs } from "./holds.js";
import { mayStart } from "./ready.js";
import { isAsking } from "./slots.js";
import {
  type ContinuationRequest,
  type FrameRequest,
  idleNodes,
  type RunFailure,
  type SchedulerState,
} from "./state.js";

/** Where a run stands once a step has been taken. */
export type Disposition = Moving | AtRest;

type Moving =
  /** Render, tell the scheduler, and look again. */
  | { kind: "render"; request: FrameRequest }
  /** Tasks may start: once nothing else of the turn is to be decided, tell the scheduler, and look again. */
  | { kind: "start" }
  /** Attempts are in progress, a back-off is running, or a deadline has come. */
  | { kind: "active" };

/** Nothing of the tree moves by itself. */
export type AtRest =
  /** Only outside decisions, events or time can move it. */
  { kind: "waiting"; status: WaitingStatus } | End;

type End =
  | { kind: "finished" }
  | { kind: "failed"; failure: RunFailure }
  | { kind: "cancelled"; reason?: string; requestedBy?: string }
  | { kind: "continued"; continuation: ContinuationRequest };

export function isAtRest(stand: Disposition): stand is AtRest {
  return stand.kind !== "active" && stand.kind !== "start" && stand.kind !== "render";
}

export function isEnd(stand: Disposition): stand is End {
  return isAtRest(stand) && stand.kind !== "waiting";
}

/** Of several waits the first of these is the run's status. */
const WAIT_ORDER: readonly WaitingStatus[] = [
  "waiting-approval",
  "waiting-event",
  "waiting-timer",
  "waiting-quota",
];

export function disposition(state: SchedulerState): Disposition {
  if (state.wantsFrame !== null) return { kind: "render", request: state.wantsFrame };
  if (mayStart(state)) return { kind: "start" };
  if (state.running.size > 0) return { kind: "active" };
  if (state.cancelling !== null) return { kind: "cancelled", ...state.cancelling };
  if (state.failure !== null) return { kind: "failed", failure: state.failure };
  const held = heldAs(state);
  if (held !== null && !state.stopping) return { kind: "waiting", status: held };
  if (state.continuation !== null) return { kind: "continued", continuation: state.continuation };

  const isDone = (state.graph.vertices[state.graph.root] as Vertex).open;
  // A task that stands still because nothing may start any more is neither stuck nor only waiting.
  if (state.stopping && !isDone) return { kind: "active" };

  if (isBackingOff(state) || isAsking(state)) return { kind: "active" };
  // Nothing moves. A tree may depend on more than the run's own rows, so it is asked once more.
  if (!state.isConfirmed) return { kind: "render", request: { reason: "settle", force: true } };
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
    // A node that has got its answer only waits for its turn.
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
