import type { TaskKey } from "../model/address.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { ScopeState } from "../model/plan.js";
import { failCompensation, hasEffects, passFailedCompensations, unrendered } from "./compensations.js";
import type { FailureScope } from "./graph-types.js";
import { noteWork } from "./owed-steps.js";
import { liesInside, scopeState } from "./regions.js";
import { isOpen, isQuiet, isPartReached, openFailed, save, skipRest, withCause } from "./scope-parts.js";
import type { RunFailure } from "./state.js";
import type { StepContext } from "./step-context.js";

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
export function failRegion(context: StepContext, region: number, failure: RunFailure): void {
  const { state } = context;
  const { key, error } = failure;
  const place = state.graph.regions[region];
  if (place === undefined) {
    state.failure ??= { key, error };
    state.isConfirmed = false;
    return;
  }
  if (place.part === "after-approval") return failRegion(context, place.around, failure);
  const scope = state.graph.scopes[place.scope] as FailureScope;
  const control = scopeState(context, scope);
  switch (place.part) {
    case "body": {
      if (control.phase !== "body" || control.error !== undefined) return;
      const undo = scope.steps.filter((step) => isOpen(context, step.actionEnd)).map((step) => step.id);
      save(context, {
        ...control,
        error,
        ...(key !== null && { failedKey: key }),
        ...(scope.plan.kind === "saga" && { undo }),
      });
      skipRest(context, scope.bodyTasks, "an earlier step of the block failed");
      return advanceAfterFailure(context, place.scope);
    }
    case "recover":
      if (place.step !== null) return failCompensation(context, scope, { step: place.step, error });
      return failCatch(context, place.scope, error);
    case "finally":
      if (control.broken !== "finally") {
        save(context, {
          ...control,
          error: withCause(error, control.error),
          handled: false,
          broken: "finally",
        });
        skipRest(context, scope.finallyTasks, "the finally block failed");
      }
      return advanceAfterFailure(context, place.scope);
    default:
      return place satisfies never;
  }
}

function failCatch(context: StepContext, index: number, error: SerializedError): void {
  const scope = context.state.graph.scopes[index] as FailureScope;
  const control = scopeState(context, scope);
  if (control.broken !== "recover") {
    save(context, {
      ...control,
      error: withCause(error, control.error),
      handled: false,
      broken: "recover",
    });
    skipRest(context, scope.recoverTasks, "the catch block failed");
  }
  advanceAfterFailure(context, index);
}

/** Called when a task of a scope part ended: moves a failed part on once it is quiet. */
export function regionTaskEnded(context: StepContext, region: number): void {
  const place = context.state.graph.regions[region];
  if (place === undefined) return;
  if (place.part === "after-approval") return regionTaskEnded(context, place.around);
  const scope = context.state.graph.scopes[place.scope] as FailureScope;
  if (scopeState(context, scope).error !== undefined) advanceAfterFailure(context, place.scope);
  regionTaskEnded(context, scope.region);
}

function advanceAfterFailure(context: StepContext, index: number): void {
  const scope = context.state.graph.scopes[index] as FailureScope;
  const control = scopeState(context, scope);
  switch (control.phase) {
    case "body":
      if (control.error !== undefined && isQuiet(context, scope.bodyTasks)) recover(context, scope, control);
      return;
    case "recover":
      if (control.broken !== "recover") return;
      // A saga's recovery ends at its latch; a failed catch ends here.
      if (scope.plan.kind === "saga") return passFailedCompensations(context, scope);
      if (isQuiet(context, scope.recoverTasks)) enterFinally(context, scope, control);
      return;
    case "finally":
      if (control.broken === "finally" && isQuiet(context, scope.finallyTasks))
        finish(context, scope, control);
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

function recover(context: StepContext, scope: FailureScope, control: ScopeState): void {
  const { plan } = scope;
  const isToDeal = isDealtWith(scope, control.error);
  if (plan.kind === "saga") {
    if (!isToDeal) {
      skipRest(context, scope.recoverTasks, "the saga does not compensate");
      return finish(context, scope, control);
    }
    const undo = (control.undo ?? []).filter((id) => hasEffects(context, scope, { id, control }));
    save(context, {
      ...control,
      phase: "recover",
      handled: plan.onFailure === "compensate",
      undo,
      ...(control.owes !== undefined && { owes: undo }),
    });
    if (unrendered(context, scope).length === 0) return startRecovery(context, scope);
    return context.wantFrame({ reason: "control", force: true });
  }
  if (!isToDeal) {
    skipRest(context, scope.recoverTasks, "the error is not one that is caught");
    return enterFinally(context, scope, { ...control, handled: false });
  }
  save(context, { ...control, phase: "recover", handled: true });
  if (plan.catch === undefined) {
    // A function catch is called with the error by the next render, and one that threw gets another chance.
    context.wantFrame({ reason: "control", force: true });
    return;
  }
  startRecovery(context, scope);
}

/** The end may have been reached before: everything in the part may have been skipped by then. */
function startRecovery(context: StepContext, scope: FailureScope): void {
  context.open(scope.recoverStart);
  if (isPartReached(context, scope.recoverEnd)) recoverEndReached(context, scope);
}

function startFinally(context: StepContext, scope: FailureScope): void {
  context.open(scope.finallyStart);
  if (isPartReached(context, scope.finallyEnd)) finallyEndReached(context, scope);
}

/**
 * A catch that gave nothing in a render that knew the error: there is nothing to do, or it threw, as
 * compensations may. `recovering` are the scopes whose error that render knew.
 */
export function takeRecoveries(context: StepContext, recovering: ReadonlySet<string>): void {
  if (recovering.size === 0) return;
  for (const [index, scope] of context.state.graph.scopes.entries()) {
    const { plan } = scope;
    if (!recovering.has(plan.id) || scopeState(context, scope).phase !== "recover") continue;
    if (plan.kind === "saga") {
      const failed = unrendered(context, scope);
      for (const compensation of failed) failCompensation(context, scope, compensation);
      if (failed.length > 0) startRecovery(context, scope);
    } else if (plan.catch === undefined) {
      if (plan.catchError === undefined) startRecovery(context, scope);
      else failCatch(context, index, plan.catchError);
    }
  }
}

/** Every task of the body is done. */
export function bodyEndReached(context: StepContext, scope: FailureScope): void {
  const control = scopeState(context, scope);
  if (control.phase !== "body" || control.error !== undefined) return;
  skipRest(context, scope.recoverTasks, "nothing failed");
  enterFinally(context, scope, control);
}

export function recoverEndReached(context: StepContext, scope: FailureScope): void {
  const control = scopeState(context, scope);
  if (control.phase === "recover") enterFinally(context, scope, control);
}

export function finallyEndReached(context: StepContext, scope: FailureScope): void {
  const control = scopeState(context, scope);
  if (control.phase === "finally") finish(context, scope, control);
}

/** Puts a freshly compiled scope where its stored phase says it is. Tasks that are new in a part that is over are skipped. */
export function restoreScope(context: StepContext, index: number): void {
  const scope = context.state.graph.scopes[index] as FailureScope;
  noteWork(context, scope);
  const control = scopeState(context, scope);
  if (control.phase !== "body" || control.error !== undefined) skipLate(context, scope.bodyTasks);
  switch (control.phase) {
    case "body":
      return advanceAfterFailure(context, index);
    case "recover":
      // Its tasks are taken once it is known that the render knew the error.
      if (scope.plan.kind === "try" && scope.plan.catch === undefined) return;
      if (unrendered(context, scope).length > 0) return;
      startRecovery(context, scope);
      return advanceAfterFailure(context, index);
    case "finally":
      skipLate(context, scope.recoverTasks);
      startFinally(context, scope);
      return advanceAfterFailure(context, index);
    case "done":
      skipLate(context, scope.recoverTasks);
      skipLate(context, scope.finallyTasks);
      return leave(context, scope, control);
    default:
      return control.phase satisfies never;
  }
}

function skipLate(context: StepContext, keys: readonly TaskKey[]): void {
  skipRest(context, keys, "the block around it is over");
}

function enterFinally(context: StepContext, scope: FailureScope, control: ScopeState): void {
  if (scope.finallyStart < 0) return finish(context, scope, control);
  save(context, { ...control, phase: "finally" });
  startFinally(context, scope);
}

function finish(context: StepContext, scope: FailureScope, control: ScopeState): void {
  const done: ScopeState = { ...control, phase: "done" };
  save(context, done);
  leave(context, scope, done);
}

function leave(context: StepContext, scope: FailureScope, control: ScopeState): void {
  if (control.error !== undefined && control.handled !== true) {
    return failRegion(context, scope.region, { key: control.failedKey ?? null, error: control.error });
  }
  // A task that depends on a failed one by name continues as after a tolerated failure.
  if (control.error !== undefined) {
    openFailed(context, scope.bodyTasks);
    endLoopsInside(context, scope);
  }
  // A task that a newer plan has put before it comes first.
  if (isPartReached(context, scope.start)) context.open(scope.end);
}

/** Everything before the scope is done; it may have been over for long. */
export function scopeReached(context: StepContext, scope: FailureScope): void {
  const control = scopeState(context, scope);
  const isFailed = control.error !== undefined && control.handled !== true;
  if (control.phase === "done" && !isFailed) context.open(scope.end);
}

/** Loops of the failed body whose end stands behind a failure have ended with it. */
function endLoopsInside(context: StepContext, scope: FailureScope): void {
  const { graph, controls } = context.state;
  for (const loop of graph.loops) {
    if (isOpen(context, loop.end) || !liesInside(context, loop.region, scope)) continue;
    const control = controls.get(loop.plan.id);
    if (control?.kind === "loop" && !control.done) context.control({ ...control, done: true });
    context.open(loop.end);
  }
}
