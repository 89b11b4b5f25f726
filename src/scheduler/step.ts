import { adoptFrame, openEnded } from "./adopt-frame.js";
import {
  callOff,
  cancelAttempt,
  attemptInProgress,
  failAttempt,
  finishAttempt,
  interruptAttempt,
  loseAttempt,
  suspendAttempt,
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
import { leaveBegun } from "./nodes.js";
import { reachTask } from "./reach-task.js";
import { adoptAttempt, mayStart, startReady } from "./ready.js";
import { bodyEndReached, finallyEndReached, recoverEndReached, scopeReached } from "./scopes.js";
import { returnGranted, slotGranted, wakeLimited } from "./slots.js";
import { isEnding, type SchedulerState } from "./state.js";
import { type ReachHandlers, StepContext } from "./step-context.js";
import { redeliverReturned } from "./waits.js";

/**
 * The scheduler: takes the state on by one event, in place, and answers what
 * follows from it. No I/O, no clock, no randomness: equal states, events and
 * times give equal states and commands. No other code changes the state.
 */
export function step(state: SchedulerState, event: SchedulerEvent, now: number): Command[] {
  const commands: Command[] = [];
  state.now = now;
  const context = new StepContext(state, now, commands, handlers);
  apply(context, event);
  redeliverReturned(context);
  if (state.graph.limited.size > 0) wakeLimited(context);
  if (state.granted.size > 0 && !mayStart(state)) returnGranted(context);
  if (state.cancelling !== null && state.running.size === 0) cancelRest(context);
  return commands;
}

const handlers: ReachHandlers = {
  task: reachTask,
  continue: reachContinue,
  latch(context: StepContext, vertex: Vertex) {
    switch (vertex.role) {
      case "loop-end":
        return loopEndReached(context, vertex.owner);
      case "scope-start":
        return scopeReached(context, scopeOf(context, vertex));
      case "body-end":
        return bodyEndReached(context, scopeOf(context, vertex));
      case "recover-end":
        return recoverEndReached(context, scopeOf(context, vertex));
      case "finally-end":
        return finallyEndReached(context, scopeOf(context, vertex));
      default:
        return;
    }
  },
};

function scopeOf(context: StepContext, latch: Vertex): FailureScope {
  return context.state.graph.scopes[latch.owner] as FailureScope;
}

function apply(context: StepContext, event: SchedulerEvent): void {
  const { state } = context;
  switch (event.type) {
    case "frame":
      return adoptFrame(context, event.frame, event.reason === "settle");
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
      return openEnded(context);
    case "attempt-finished": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      if (aborting === null) return finishAttempt(context, node, event.cached);
      // The abort came first; a late result is dropped.
      return failAttempt(context, node, { error: aborting });
    }
    case "attempt-failed": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      return failAttempt(context, node, aborting === null ? event : { error: aborting });
    }
    case "attempt-skipped": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node === undefined) return;
      const aborting = node.attempt?.aborting ?? null;
      if (aborting !== null) return failAttempt(context, node, { error: aborting });
      return skipAttempt(context, node, event);
    }
    case "attempt-passed-on": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node === undefined) return;
      return passAttemptOn(context, node, event.to);
    }
    case "attempt-lost": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node === undefined) return;
      return loseAttempt(context, node, event);
    }
    case "slot-granted":
      return slotGranted(context, event.key, event.limits);
    case "attempt-suspended": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node === undefined) return;
      return suspendAttempt(context, node, event);
    }
    case "attempt-interrupted": {
      const node = state.nodes.get(event.key);
      if (node === undefined) return;
      if (state.cancelling !== null && node.attempt !== null) {
        return cancelAttempt(context, node, {
          name: "ServiceError",
          code: "RUN_CANCELLED",
          message: event.reason,
        });
      }
      return interruptAttempt(context, node, event);
    }
    case "attempt-adopted":
      return adoptAttempt(context, event);
    case "call-off":
      return callOff(context, event.keys);
    case "heartbeat": {
      const node = attemptInProgress(context, event.key, event.attempt);
      if (node?.attempt != null) node.attempt.heartbeatAtMs = context.now;
      return;
    }
    case "clock-set-back":
      return clockSetBack(context, event.byMs);
    case "start-ready":
      return startReady(context);
    case "tick":
      return fireDeadlines(context);
    case "intent":
      return applyIntent(context, event.intent);
    case "hold":
      return placeHold(context, event.hold);
    case "resume":
      return liftPauses(context);
    case "ended":
      if (event.continuesAs !== undefined) leaveBegun(context, event.continuesAs);
      return dropHolds(context);
    case "invalidate":
      return context.wantFrame({ reason: event.reason, force: true });
    default:
      return event satisfies never;
  }
}
