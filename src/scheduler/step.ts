import { adoptFrame, openEnded } from "./adopt-frame.js";
import {
  callOff,
  cancelAttempt,
  attemptInProgress,
  failAttempt,
  finishAttempt,
  interruptAttempt,
  parkAttempt,
  passAttemptOn,
  skipAttempt,
} from "./attempts.js";
import { clockSetBack } from "./clock-set-back.js";
import type { Command, SchedulerEvent } from "./commands.js";
import { fireDeadlines } from "./deadlines.js";
import type { FailureScope, Vertex } from "./graph-types.js";
import { dropHolds, liftPauses, placeHold } from "./holds.js";
import { applyIntent, cancelRest } from "./inbox.js";
import { loopEndReached } from "./loops.js";
import { reachContinue } from "./continue-as-new.js";
import { reachTask } from "./reach-task.js";
import { mayStart, startReady } from "./ready.js";
import { bodyEndReached, finallyEndReached, recoverEndReached, scopeReached } from "./scopes.js";
import { returnGranted, slotGranted, wakeLimited } from "./slots.js";
import { isEnding, type SchedulerState } from "./state.js";
import { type ReachHandlers, Move } from "./move.js";
import { redeliverReturned } from "./waits.js";

/**
 * The scheduler: takes the state on by one event, in place, and answers what
 * follows from it. No I/O, no clock, no randomness: equal states, events and
 * times give equal states and commands. Nobody else changes the state.
 */
export function step(state: SchedulerState, event: SchedulerEvent, now: number): Command[] {
  const commands: Command[] = [];
  state.now = now;
  const move = new Move(state, now, commands, handlers);
  apply(move, event);
  redeliverReturned(move);
  if (state.graph.limited.size > 0) wakeLimited(move);
  if (state.granted.size > 0 && !mayStart(state)) returnGranted(move);
  if (state.cancelling !== null && state.running.size === 0) cancelRest(move);
  return commands;
}

const handlers: ReachHandlers = {
  task: reachTask,
  continue: reachContinue,
  latch(move: Move, vertex: Vertex) {
    switch (vertex.role) {
      case "loop-end":
        return loopEndReached(move, vertex.owner);
      case "scope-start":
        return scopeReached(move, scopeOf(move, vertex));
      case "body-end":
        return bodyEndReached(move, scopeOf(move, vertex));
      case "recover-end":
        return recoverEndReached(move, scopeOf(move, vertex));
      case "finally-end":
        return finallyEndReached(move, scopeOf(move, vertex));
      default:
        return;
    }
  },
};

function scopeOf(move: Move, latch: Vertex): FailureScope {
  return move.state.graph.scopes[latch.owner] as FailureScope;
}

function apply(move: Move, event: SchedulerEvent): void {
  const { state } = move;
  switch (event.type) {
    case "frame":
      return adoptFrame(move, event.frame, event.reason === "settle");
    case "render-failed":
      state.wantsFrame = null;
      // How the run ends is settled already where it is ending.
      if (!isEnding(state)) state.failure = { key: null, error: event.error };
      return;
    case "stop":
      state.stopping = true;
      return;
    case "frame-unchanged":
      state.wantsFrame = null;
      return openEnded(move);
    case "attempt-finished": {
      const node = attemptInProgress(move, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      if (aborting === null) return finishAttempt(move, node, event.cached);
      // The abort came first; a late result is dropped.
      return failAttempt(move, node, { error: aborting });
    }
    case "attempt-failed": {
      const node = attemptInProgress(move, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      return failAttempt(move, node, aborting === null ? event : { error: aborting });
    }
    case "attempt-skipped": {
      const node = attemptInProgress(move, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      if (aborting !== null) return failAttempt(move, node, { error: aborting });
      return skipAttempt(move, node, event.reason);
    }
    case "attempt-passed-on": {
      const node = attemptInProgress(move, event.key, event.attempt);
      if (node === undefined) return;
      return passAttemptOn(move, node, event.to);
    }
    case "slot-granted":
      return slotGranted(move, event.key, event.limits);
    case "attempt-parked": {
      const node = attemptInProgress(move, event.key, event.attempt);
      if (node === undefined) return;
      return parkAttempt(move, node, event);
    }
    case "attempt-interrupted": {
      const node = state.nodes.get(event.key);
      if (node === undefined) return;
      if (state.cancelling !== null && node.attempt !== null) {
        return cancelAttempt(move, node, {
          name: "ServiceError",
          code: "RUN_CANCELLED",
          message: event.reason,
        });
      }
      return interruptAttempt(move, node, event);
    }
    case "call-off":
      return callOff(move, event.keys);
    case "heartbeat": {
      const node = attemptInProgress(move, event.key, event.attempt);
      if (node?.attempt != null) node.attempt.heartbeatAtMs = move.now;
      return;
    }
    case "clock-set-back":
      return clockSetBack(move, event.byMs);
    case "start-ready":
      return startReady(move);
    case "tick":
      return fireDeadlines(move);
    case "intent":
      return applyIntent(move, event.intent);
    case "hold":
      return placeHold(move, event.hold);
    case "resume":
      return liftPauses(move);
    case "ended":
      return dropHolds(move);
    case "invalidate":
      return move.wantFrame({ reason: event.reason, force: true });
    default:
      return event satisfies never;
  }
}
