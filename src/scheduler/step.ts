import { adoptFrame, openEnded } from "./adopt-frame.js";
import {
  cancelAttempt,
  currentAttempt,
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
import { type ReachHandlers, Turn } from "./turn.js";
import { redeliverReturned } from "./waits.js";

/**
 * The scheduler: takes the state on by one event, in place, and answers what
 * follows from it. No I/O, no clock, no randomness: equal states, events and
 * times give equal states and commands. Nobody else changes the state.
 */
export function step(state: SchedulerState, event: SchedulerEvent, now: number): Command[] {
  const commands: Command[] = [];
  state.now = now;
  const turn = new Turn(state, now, commands, handlers);
  apply(turn, event);
  redeliverReturned(turn);
  if (state.graph.limited.size > 0) wakeLimited(turn);
  if (state.granted.size > 0 && !mayStart(state)) returnGranted(turn);
  if (state.cancelling !== null && state.running.size === 0) cancelRest(turn);
  return commands;
}

const handlers: ReachHandlers = {
  task: reachTask,
  continue: reachContinue,
  latch(turn: Turn, vertex: Vertex) {
    switch (vertex.role) {
      case "loop-end":
        return loopEndReached(turn, vertex.owner);
      case "scope-start":
        return scopeReached(turn, scopeOf(turn, vertex));
      case "body-end":
        return bodyEndReached(turn, scopeOf(turn, vertex));
      case "recover-end":
        return recoverEndReached(turn, scopeOf(turn, vertex));
      case "finally-end":
        return finallyEndReached(turn, scopeOf(turn, vertex));
      default:
        return;
    }
  },
};

function scopeOf(turn: Turn, latch: Vertex): FailureScope {
  return turn.state.graph.scopes[latch.owner] as FailureScope;
}

function apply(turn: Turn, event: SchedulerEvent): void {
  const { state } = turn;
  switch (event.type) {
    case "frame":
      return adoptFrame(turn, event.frame, event.reason === "settle");
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
      return openEnded(turn);
    case "attempt-finished": {
      const node = currentAttempt(turn, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      if (aborting === null) return finishAttempt(turn, node, event.cached);
      // The abort came first; a late result is dropped.
      return failAttempt(turn, node, { error: aborting });
    }
    case "attempt-failed": {
      const node = currentAttempt(turn, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      return failAttempt(turn, node, aborting === null ? event : { error: aborting });
    }
    case "attempt-skipped": {
      const node = currentAttempt(turn, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      if (aborting !== null) return failAttempt(turn, node, { error: aborting });
      return skipAttempt(turn, node, event.reason);
    }
    case "attempt-passed-on": {
      const node = currentAttempt(turn, event.key, event.attempt);
      if (node === undefined) return;
      return passAttemptOn(turn, node, event.to);
    }
    case "slot-granted":
      return slotGranted(turn, event.key, event.limits);
    case "attempt-parked": {
      const node = currentAttempt(turn, event.key, event.attempt);
      if (node === undefined) return;
      return parkAttempt(turn, node, event);
    }
    case "attempt-interrupted": {
      const node = state.nodes.get(event.key);
      if (node === undefined) return;
      if (state.cancelling !== null && node.attempt !== null) {
        return cancelAttempt(turn, node, {
          name: "ServiceError",
          code: "RUN_CANCELLED",
          message: event.reason,
        });
      }
      return interruptAttempt(turn, node, event);
    }
    case "heartbeat": {
      const node = currentAttempt(turn, event.key, event.attempt);
      if (node?.attempt != null) node.attempt.heartbeatAtMs = turn.now;
      return;
    }
    case "clock-set-back":
      return clockSetBack(turn, event.byMs);
    case "start-ready":
      return startReady(turn);
    case "tick":
      return fireDeadlines(turn);
    case "intent":
      return applyIntent(turn, event.intent);
    case "hold":
      return placeHold(turn, event.hold);
    case "resume":
      return liftPauses(turn);
    case "ended":
      return dropHolds(turn);
    case "invalidate":
      return turn.wantFrame({ reason: event.reason, force: true });
    default:
      return event satisfies never;
  }
}
