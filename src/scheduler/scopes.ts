import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { ScopeState } from "../model/plan.js";
import { failCompensation, hasEffects, passFailedCompensations, unrendered } from "./compensations.js";
import type { FailureScope } from "./graph-types.js";
import { isInside, scopeState } from "./regions.js";
import { isOpen, isQuiet, isReached, openFailed, save, skipRest, withCause } from "./scope-parts.js";
import type { RunFailure } from "./state.js";
import type { Turn } from "./turn.js";

/**
 * Sagas and try blocks. Each has three parts: the body, the recovery
 * (compensations or catch) and, for a try block, the finally part.
 *
 * C1  A part's first failure stands; its other tasks are skipped unless they run.
 * C2  A scope moves on only when no task of the failed part is in progress.
 * C3  An unhandled error leaves the scope only after its finally part.
 * C4  Phases only go forward, and each move is persisted with what caused it.
 */

/** An unhandled failure in a region. Regions outside every scope fail the run. */
export function failRegion(turn: Turn, region: number, failure: RunFailure): void {
  const { state } = turn;
  const { key, error } = failure;
  const place = state.graph.regions[region];
  if (place === undefined) {
    state.failure ??= { key, error };
    state.settled = false;
    return;
  }
  if (place.part === "after-approval") return failRegion(turn, place.around, failure);
  const scope = state.graph.scopes[place.scope] as FailureScope;
  const control = scopeState(turn, scope);
  switch (place.part) {
    case "body": {
      if (control.phase !== "body" || control.error !== undefined) return;
      const undo = scope.steps.filter((step) => isOpen(turn, step.actionEnd)).map((step) => step.id);
      save(turn, {
        ...control,
        error,
        ...(key !== null && { failedKey: key }),
        ...(scope.plan.kind === "saga" && { undo }),
      });
      skipRest(turn, scope.bodyTasks, "an earlier step of the block failed");
      return advanceAfterFailure(turn, place.scope);
    }
    case "recover":
      if (place.step !== null) return failCompensation(turn, scope, { step: place.step, error });
      return failCatch(turn, place.scope, error);
    case "finally":
      if (control.broken !== "finally") {
        save(turn, {
          ...control,
          error: withCause(error, control.error),
          handled: false,
          broken: "finally",
        });
        skipRest(turn, scope.finallyTasks, "the finally block failed");
      }
      return advanceAfterFailure(turn, place.scope);
    default:
      return place satisfies never;
  }
}

function failCatch(turn: Turn, index: number, error: SerializedError): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  if (control.broken !== "recover") {
    save(turn, {
      ...control,
      error: withCause(error, control.error),
      handled: false,
      broken: "recover",
    });
    skipRest(turn, scope.recoverTasks, "the catch block failed");
  }
  advanceAfterFailure(turn, index);
}

/** Called when a task of a scope part ended: moves a failed part on once it is quiet. */
export function regionTaskEnded(turn: Turn, region: number): void {
  const place = turn.state.graph.regions[region];
  if (place === undefined) return;
  if (place.part === "after-approval") return regionTaskEnded(turn, place.around);
  const scope = turn.state.graph.scopes[place.scope] as FailureScope;
  if (scopeState(turn, scope).error !== undefined) advanceAfterFailure(turn, place.scope);
  regionTaskEnded(turn, scope.region);
}

function advanceAfterFailure(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  switch (control.phase) {
    case "body":
      if (control.error !== undefined && isQuiet(turn, scope.bodyTasks)) recover(turn, scope, control);
      return;
    case "recover":
      if (control.broken !== "recover") return;
      // A saga's recovery ends at its latch; a failed catch ends here.
      if (scope.plan.kind === "saga") return passFailedCompensations(turn, scope);
      if (isQuiet(turn, scope.recoverTasks)) enterFinally(turn, scope, control);
      return;
    case "finally":
      if (control.broken === "finally" && isQuiet(turn, scope.finallyTasks)) finish(turn, scope, control);
      return;
    case "done":
      return;
    default:
      return control.phase satisfies never;
  }
}

function recover(turn: Turn, scope: FailureScope, control: ScopeState): void {
  const { plan } = scope;
  if (plan.kind === "saga") {
    if (plan.onFailure === "fail") {
      skipRest(turn, scope.recoverTasks, "the saga does not compensate");
      return finish(turn, scope, control);
    }
    const undo = (control.undo ?? []).filter((id) => hasEffects(turn, scope, { id, control }));
    save(turn, { ...control, phase: "recover", handled: plan.onFailure === "compensate", undo });
    if (unrendered(turn, scope).length === 0) return startRecovery(turn, scope);
    return turn.wantFrame({ reason: "control", force: true });
  }
  const code = control.error?.code;
  const catches =
    plan.hasCatch &&
    (plan.catchErrors === undefined || (code !== undefined && plan.catchErrors.includes(code)));
  if (!catches) {
    skipRest(turn, scope.recoverTasks, "the error is not one that is caught");
    return enterFinally(turn, scope, { ...control, handled: false });
  }
  save(turn, { ...control, phase: "recover", handled: true });
  if (plan.catch === undefined) {
    // A function catch is called with the error by the next render, and one that threw gets another chance.
    turn.wantFrame({ reason: "control", force: true });
    return;
  }
  startRecovery(turn, scope);
}

/** The end may have been reached before: everything in the part may have been skipped by then. */
function startRecovery(turn: Turn, scope: FailureScope): void {
  turn.open(scope.recoverStart);
  if (isReached(turn, scope.recoverEnd)) recoverEndReached(turn, scope);
}

function startFinally(turn: Turn, scope: FailureScope): void {
  turn.open(scope.finallyStart);
  if (isReached(turn, scope.finallyEnd)) finallyEndReached(turn, scope);
}

/**
 * A catch that gave nothing in a render that knew the error: there is nothing to do, or it threw, as
 * compensations may. `recovering` are the scopes whose error that render knew.
 */
export function takeRecoveries(turn: Turn, recovering: ReadonlySet<string>): void {
  if (recovering.size === 0) return;
  for (const [index, scope] of turn.state.graph.scopes.entries()) {
    const { plan } = scope;
    if (!recovering.has(plan.id) || scopeState(turn, scope).phase !== "recover") continue;
    if (plan.kind === "saga") {
      const failed = unrendered(turn, scope);
      for (const compensation of failed) failCompensation(turn, scope, compensation);
      if (failed.length > 0) startRecovery(turn, scope);
    } else if (plan.catch === undefined) {
      if (plan.catchError === undefined) startRecovery(turn, scope);
      else failCatch(turn, index, plan.catchError);
    }
  }
}

/** Every task of the body is done. */
export function bodyEndReached(turn: Turn, scope: FailureScope): void {
  const control = scopeState(turn, scope);
  if (control.phase !== "body" || control.error !== undefined) return;
  skipRest(turn, scope.recoverTasks, "nothing failed");
  enterFinally(turn, scope, control);
}

export function recoverEndReached(turn: Turn, scope: FailureScope): void {
  const control = scopeState(turn, scope);
  if (control.phase === "recover") enterFinally(turn, scope, control);
}

export function finallyEndReached(turn: Turn, scope: FailureScope): void {
  const control = scopeState(turn, scope);
  if (control.phase === "finally") finish(turn, scope, control);
}

/** Puts a freshly compiled scope where its stored phase says it is. Tasks that are new in a part that is over are skipped. */
export function restoreScope(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  if (control.phase !== "body" || control.error !== undefined) skipLate(turn, scope.bodyTasks);
  switch (control.phase) {
    case "body":
      return advanceAfterFailure(turn, index);
    case "recover":
      // What stands there is taken once it is known that the render knew the error.
      if (scope.plan.kind === "try" && scope.plan.catch === undefined) return;
      if (unrendered(turn, scope).length > 0) return;
      startRecovery(turn, scope);
      return advanceAfterFailure(turn, index);
    case "finally":
      skipLate(turn, scope.recoverTasks);
      startFinally(turn, scope);
      return advanceAfterFailure(turn, index);
    case "done":
      skipLate(turn, scope.recoverTasks);
      skipLate(turn, scope.finallyTasks);
      return leave(turn, scope, control);
    default:
      return control.phase satisfies never;
  }
}

function skipLate(turn: Turn, keys: readonly TaskKey[]): void {
  skipRest(turn, keys, "the block around it is over");
}

function enterFinally(turn: Turn, scope: FailureScope, control: ScopeState): void {
  if (scope.finallyStart < 0) return finish(turn, scope, control);
  save(turn, { ...control, phase: "finally" });
  startFinally(turn, scope);
}

function finish(turn: Turn, scope: FailureScope, control: ScopeState): void {
  const done: ScopeState = { ...control, phase: "done" };
  save(turn, done);
  leave(turn, scope, done);
}

function leave(turn: Turn, scope: FailureScope, control: ScopeState): void {
  if (control.error !== undefined && control.handled !== true) {
    return failRegion(turn, scope.region, { key: control.failedKey ?? null, error: control.error });
  }
  // Whoever depends on a failed task by name goes on as after a tolerated failure.
  if (control.error !== undefined) {
    openFailed(turn, scope.bodyTasks);
    endLoopsInside(turn, scope);
  }
  // What a newer plan has put before it comes first.
  if (isReached(turn, scope.start)) turn.open(scope.end);
}

/** Everything before the scope is done; it may have been over for long. */
export function scopeReached(turn: Turn, scope: FailureScope): void {
  const control = scopeState(turn, scope);
  const isFailed = control.error !== undefined && control.handled !== true;
  if (control.phase === "done" && !isFailed) turn.open(scope.end);
}

/** Loops of the failed body whose end stands behind a failure have ended with it. */
function endLoopsInside(turn: Turn, scope: FailureScope): void {
  const { graph, controls } = turn.state;
  for (const loop of graph.loops) {
    if (isOpen(turn, loop.end) || !isInside(turn, loop.region, scope)) continue;
    const control = controls.get(loop.plan.id);
    if (control?.kind === "loop" && !control.done) turn.control({ ...control, done: true });
    turn.open(loop.end);
  }
}
