import type { SerializedError } from "../errors/ensure-error.js";
import { isTerminalNode, type TaskKey } from "../model/node.js";
import type { ScopeState } from "../model/plan.js";
import type { FailureScope, Vertex } from "./graph-types.js";
import { skipNode } from "./nodes.js";
import { isInside, scopeState } from "./regions.js";
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
      if (control.broken !== "recover") {
        save(turn, {
          ...control,
          error: withCause(error, control.error),
          handled: false,
          broken: "recover",
        });
        skipRest(turn, scope.recoverTasks, "the catch block failed");
      }
      return advanceAfterFailure(turn, place.scope);
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

/** The other compensations still run: each undoes something of its own. */
function failCompensation(
  turn: Turn,
  scope: FailureScope,
  failed: { step: string; error: SerializedError },
): void {
  const control = scopeState(turn, scope);
  const undo = control.undo ?? [];
  const compensation = scope.steps.find(({ id }) => id === failed.step)?.compensation ?? [];
  if (undo.includes(failed.step)) {
    save(turn, {
      ...control,
      error: control.broken === "recover" ? control.error : withCause(failed.error, control.error),
      handled: false,
      broken: "recover",
      undo: undo.filter((id) => id !== failed.step),
    });
    skipRest(turn, compensation, "an earlier step of the compensation failed");
  }
  passFailedCompensations(turn, scope);
}

/** Goes on with the next compensation where one has failed and nothing of it runs any more. */
function passFailedCompensations(turn: Turn, scope: FailureScope): void {
  const { undo = [] } = scopeState(turn, scope);
  let before = scope.recoverStart;
  for (const step of scope.steps.toReversed()) {
    if (!isOpen(turn, before)) return;
    if (!undo.includes(step.id) && isQuiet(turn, step.compensation)) {
      openFailed(turn, step.compensation);
      turn.open(step.compensationEnd);
    }
    before = step.compensationEnd;
  }
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
    return startRecovery(turn, scope);
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
    // A function catch: the next render calls it with the error.
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

/** The step's action has done something, and nothing of it failed. */
function hasEffects(turn: Turn, scope: FailureScope, step: { id: string; control: ScopeState }): boolean {
  const action = scope.steps.find(({ id }) => id === step.id)?.action ?? [];
  if (step.control.failedKey !== undefined && action.includes(step.control.failedKey)) return false;
  return action.some((key) => turn.state.nodes.get(key)?.row.state === "finished");
}

/**
 * A function catch that gave nothing in a render that knew the error: there is
 * nothing to do. `recovering` are the scopes whose error that render knew.
 */
export function passEmptyCatches(turn: Turn, recovering: ReadonlySet<string>): void {
  if (recovering.size === 0) return;
  for (const scope of turn.state.graph.scopes) {
    const { plan } = scope;
    if (plan.kind !== "try" || plan.catch !== undefined || !recovering.has(plan.id)) continue;
    if (scopeState(turn, scope).phase === "recover") startRecovery(turn, scope);
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
      if (scope.plan.kind === "try" && scope.plan.catch === undefined) return;
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
  turn.open(scope.end);
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

function openFailed(turn: Turn, keys: readonly TaskKey[]): void {
  for (const key of keys) {
    const node = turn.state.nodes.get(key);
    if (node?.row.state === "failed" && node.vertex >= 0) turn.open(node.vertex);
  }
}

function save(turn: Turn, control: ScopeState): void {
  if (control.phase === "recover") turn.state.recovering.add(control.id);
  else turn.state.recovering.delete(control.id);
  turn.control(control);
}

function isQuiet(turn: Turn, keys: readonly TaskKey[]): boolean {
  return keys.every((key) => !turn.state.running.has(key));
}

/**
 * Skips what has not run, and opens what is skipped: it may stand behind the task
 * that failed. All of them are marked before any vertex opens, so that none
 * starts in between.
 */
function skipRest(turn: Turn, keys: readonly TaskKey[], reason: string): void {
  const skipped: number[] = [];
  for (const key of keys) {
    const node = turn.state.nodes.get(key);
    if (node === undefined || node.attempt !== null) continue;
    if (!isTerminalNode(node.row.state)) {
      node.queued = false;
      skipNode(turn, node, reason);
    }
    if (node.row.state === "skipped") skipped.push(node.vertex);
  }
  for (const vertex of skipped) if (vertex >= 0) turn.open(vertex);
}

function isOpen(turn: Turn, vertex: number): boolean {
  return (turn.state.graph.vertices[vertex] as Vertex).open;
}

function isReached(turn: Turn, vertex: number): boolean {
  return (turn.state.graph.vertices[vertex] as Vertex).pending === 0;
}

function withCause(error: SerializedError, cause: SerializedError | undefined): SerializedError {
  return cause === undefined || error.cause !== undefined ? error : { ...error, cause };
}
