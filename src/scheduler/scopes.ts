import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { ScopeState } from "../model/plan.js";
import { failCompensation, hasEffects, passFailedCompensations, unrendered } from "./compensations.js";
import type { FailureScope } from "./graph-types.js";
import { liesInside, scopeState } from "./regions.js";
import { isOpen, isQuiet, isPartReached, openFailed, save, skipRest, withCause } from "./scope-parts.js";
import type { RunFailure } from "./state.js";
import type { Move } from "./move.js";

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
export function failRegion(move: Move, region: number, failure: RunFailure): void {
  const { state } = move;
  const { key, error } = failure;
  const place = state.graph.regions[region];
  if (place === undefined) {
    state.failure ??= { key, error };
    state.isConfirmed = false;
    return;
  }
  if (place.part === "after-approval") return failRegion(move, place.around, failure);
  const scope = state.graph.scopes[place.scope] as FailureScope;
  const control = scopeState(move, scope);
  switch (place.part) {
    case "body": {
      if (control.phase !== "body" || control.error !== undefined) return;
      const undo = scope.steps.filter((step) => isOpen(move, step.actionEnd)).map((step) => step.id);
      save(move, {
        ...control,
        error,
        ...(key !== null && { failedKey: key }),
        ...(scope.plan.kind === "saga" && { undo }),
      });
      skipRest(move, scope.bodyTasks, "an earlier step of the block failed");
      return advanceAfterFailure(move, place.scope);
    }
    case "recover":
      if (place.step !== null) return failCompensation(move, scope, { step: place.step, error });
      return failCatch(move, place.scope, error);
    case "finally":
      if (control.broken !== "finally") {
        save(move, {
          ...control,
          error: withCause(error, control.error),
          handled: false,
          broken: "finally",
        });
        skipRest(move, scope.finallyTasks, "the finally block failed");
      }
      return advanceAfterFailure(move, place.scope);
    default:
      return place satisfies never;
  }
}

function failCatch(move: Move, index: number, error: SerializedError): void {
  const scope = move.state.graph.scopes[index] as FailureScope;
  const control = scopeState(move, scope);
  if (control.broken !== "recover") {
    save(move, {
      ...control,
      error: withCause(error, control.error),
      handled: false,
      broken: "recover",
    });
    skipRest(move, scope.recoverTasks, "the catch block failed");
  }
  advanceAfterFailure(move, index);
}

/** Called when a task of a scope part ended: moves a failed part on once it is quiet. */
export function regionTaskEnded(move: Move, region: number): void {
  const place = move.state.graph.regions[region];
  if (place === undefined) return;
  if (place.part === "after-approval") return regionTaskEnded(move, place.around);
  const scope = move.state.graph.scopes[place.scope] as FailureScope;
  if (scopeState(move, scope).error !== undefined) advanceAfterFailure(move, place.scope);
  regionTaskEnded(move, scope.region);
}

function advanceAfterFailure(move: Move, index: number): void {
  const scope = move.state.graph.scopes[index] as FailureScope;
  const control = scopeState(move, scope);
  switch (control.phase) {
    case "body":
      if (control.error !== undefined && isQuiet(move, scope.bodyTasks)) recover(move, scope, control);
      return;
    case "recover":
      if (control.broken !== "recover") return;
      // A saga's recovery ends at its latch; a failed catch ends here.
      if (scope.plan.kind === "saga") return passFailedCompensations(move, scope);
      if (isQuiet(move, scope.recoverTasks)) enterFinally(move, scope, control);
      return;
    case "finally":
      if (control.broken === "finally" && isQuiet(move, scope.finallyTasks)) finish(move, scope, control);
      return;
    case "done":
      return;
    default:
      return control.phase satisfies never;
  }
}

/** Whether the block has something to undo or to catch after such an end of its body. */
export function isDealtWith({ plan }: FailureScope, error: SerializedError | undefined): boolean {
  if (error === undefined) return false;
  if (plan.kind === "saga") return plan.onFailure !== "fail";
  return plan.hasCatch && (plan.catchErrors === undefined || plan.catchErrors.includes(error.code ?? ""));
}

function recover(move: Move, scope: FailureScope, control: ScopeState): void {
  const { plan } = scope;
  const isToDeal = isDealtWith(scope, control.error);
  if (plan.kind === "saga") {
    if (!isToDeal) {
      skipRest(move, scope.recoverTasks, "the saga does not compensate");
      return finish(move, scope, control);
    }
    const undo = (control.undo ?? []).filter((id) => hasEffects(move, scope, { id, control }));
    save(move, { ...control, phase: "recover", handled: plan.onFailure === "compensate", undo });
    if (unrendered(move, scope).length === 0) return startRecovery(move, scope);
    return move.wantFrame({ reason: "control", force: true });
  }
  if (!isToDeal) {
    skipRest(move, scope.recoverTasks, "the error is not one that is caught");
    return enterFinally(move, scope, { ...control, handled: false });
  }
  save(move, { ...control, phase: "recover", handled: true });
  if (plan.catch === undefined) {
    // A function catch is called with the error by the next render, and one that threw gets another chance.
    move.wantFrame({ reason: "control", force: true });
    return;
  }
  startRecovery(move, scope);
}

/** The end may have been reached before: everything in the part may have been skipped by then. */
function startRecovery(move: Move, scope: FailureScope): void {
  move.open(scope.recoverStart);
  if (isPartReached(move, scope.recoverEnd)) recoverEndReached(move, scope);
}

function startFinally(move: Move, scope: FailureScope): void {
  move.open(scope.finallyStart);
  if (isPartReached(move, scope.finallyEnd)) finallyEndReached(move, scope);
}

/**
 * A catch that gave nothing in a render that knew the error: there is nothing to do, or it threw, as
 * compensations may. `recovering` are the scopes whose error that render knew.
 */
export function takeRecoveries(move: Move, recovering: ReadonlySet<string>): void {
  if (recovering.size === 0) return;
  for (const [index, scope] of move.state.graph.scopes.entries()) {
    const { plan } = scope;
    if (!recovering.has(plan.id) || scopeState(move, scope).phase !== "recover") continue;
    if (plan.kind === "saga") {
      const failed = unrendered(move, scope);
      for (const compensation of failed) failCompensation(move, scope, compensation);
      if (failed.length > 0) startRecovery(move, scope);
    } else if (plan.catch === undefined) {
      if (plan.catchError === undefined) startRecovery(move, scope);
      else failCatch(move, index, plan.catchError);
    }
  }
}

/** Every task of the body is done. */
export function bodyEndReached(move: Move, scope: FailureScope): void {
  const control = scopeState(move, scope);
  if (control.phase !== "body" || control.error !== undefined) return;
  skipRest(move, scope.recoverTasks, "nothing failed");
  enterFinally(move, scope, control);
}

export function recoverEndReached(move: Move, scope: FailureScope): void {
  const control = scopeState(move, scope);
  if (control.phase === "recover") enterFinally(move, scope, control);
}

export function finallyEndReached(move: Move, scope: FailureScope): void {
  const control = scopeState(move, scope);
  if (control.phase === "finally") finish(move, scope, control);
}

/** Puts a freshly compiled scope where its stored phase says it is. Tasks that are new in a part that is over are skipped. */
export function restoreScope(move: Move, index: number): void {
  const scope = move.state.graph.scopes[index] as FailureScope;
  const control = scopeState(move, scope);
  if (control.phase !== "body" || control.error !== undefined) skipLate(move, scope.bodyTasks);
  switch (control.phase) {
    case "body":
      return advanceAfterFailure(move, index);
    case "recover":
      // What stands there is taken once it is known that the render knew the error.
      if (scope.plan.kind === "try" && scope.plan.catch === undefined) return;
      if (unrendered(move, scope).length > 0) return;
      startRecovery(move, scope);
      return advanceAfterFailure(move, index);
    case "finally":
      skipLate(move, scope.recoverTasks);
      startFinally(move, scope);
      return advanceAfterFailure(move, index);
    case "done":
      skipLate(move, scope.recoverTasks);
      skipLate(move, scope.finallyTasks);
      return leave(move, scope, control);
    default:
      return control.phase satisfies never;
  }
}

function skipLate(move: Move, keys: readonly TaskKey[]): void {
  skipRest(move, keys, "the block around it is over");
}

function enterFinally(move: Move, scope: FailureScope, control: ScopeState): void {
  if (scope.finallyStart < 0) return finish(move, scope, control);
  save(move, { ...control, phase: "finally" });
  startFinally(move, scope);
}

function finish(move: Move, scope: FailureScope, control: ScopeState): void {
  const done: ScopeState = { ...control, phase: "done" };
  save(move, done);
  leave(move, scope, done);
}

function leave(move: Move, scope: FailureScope, control: ScopeState): void {
  if (control.error !== undefined && control.handled !== true) {
    return failRegion(move, scope.region, { key: control.failedKey ?? null, error: control.error });
  }
  // Whoever depends on a failed task by name goes on as after a tolerated failure.
  if (control.error !== undefined) {
    openFailed(move, scope.bodyTasks);
    endLoopsInside(move, scope);
  }
  // What a newer plan has put before it comes first.
  if (isPartReached(move, scope.start)) move.open(scope.end);
}

/** Everything before the scope is done; it may have been over for long. */
export function scopeReached(move: Move, scope: FailureScope): void {
  const control = scopeState(move, scope);
  const isFailed = control.error !== undefined && control.handled !== true;
  if (control.phase === "done" && !isFailed) move.open(scope.end);
}

/** Loops of the failed body whose end stands behind a failure have ended with it. */
function endLoopsInside(move: Move, scope: FailureScope): void {
  const { graph, controls } = move.state;
  for (const loop of graph.loops) {
    if (isOpen(move, loop.end) || !liesInside(move, loop.region, scope)) continue;
    const control = controls.get(loop.plan.id);
    if (control?.kind === "loop" && !control.done) move.control({ ...control, done: true });
    move.open(loop.end);
  }
}
