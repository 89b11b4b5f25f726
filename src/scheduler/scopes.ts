import type { SerializedError } from "../errors/ensure-error.js";
import { isTerminalNode, type TaskKey } from "../model/node.js";
import type { ScopeState } from "../model/plan.js";
import { REGION_BODY, REGION_RECOVER, type FailureScope, type Vertex } from "./graph-types.js";
import { skipNode } from "./nodes.js";
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
  if (region < 0) {
    state.failure ??= { key, error };
    state.settled = false;
    return;
  }
  const index = Math.floor(region / 3);
  const scope = state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  switch (region % 3) {
    case REGION_BODY:
      if (control.phase !== "body" || control.error !== undefined) return;
      save(turn, { ...control, error, ...(key !== null && { failedKey: key }) });
      skipRest(turn, scope.bodyTasks, "an earlier step of the block failed");
      return advanceAfterFailure(turn, index);
    case REGION_RECOVER:
      save(turn, { ...control, error: withCause(error, control.error), handled: false });
      if (scope.plan.kind === "saga") {
        // The other compensations still run: each undoes something of its own.
        openFailed(turn, key);
        return;
      }
      skipRest(turn, scope.recoverTasks, "the catch block failed");
      return advanceAfterFailure(turn, index);
    default:
      save(turn, { ...control, error: withCause(error, control.error), handled: false });
      skipRest(turn, scope.finallyTasks, "the finally block failed");
      return advanceAfterFailure(turn, index);
  }
}

/** Called when a task of a scope part ended: moves a failed part on once it is quiet. */
export function regionTaskEnded(turn: Turn, region: number): void {
  if (region < 0) return;
  const index = Math.floor(region / 3);
  const scope = turn.state.graph.scopes[index] as FailureScope;
  if (scopeState(turn, scope).error !== undefined) advanceAfterFailure(turn, index);
  regionTaskEnded(turn, scope.region);
}

function advanceAfterFailure(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  switch (control.phase) {
    case "body":
      if (!isQuiet(turn, scope.bodyTasks)) return;
      return recover(turn, scope, control);
    case "recover":
      // A saga's recovery ends at its latch; a failed catch ends here.
      if (scope.plan.kind === "saga" || control.handled !== false || !isQuiet(turn, scope.recoverTasks))
        return;
      return enterFinally(turn, scope, control);
    case "finally":
      if (!isQuiet(turn, scope.finallyTasks) || !hasFailure(turn, scope.finallyTasks)) return;
      return finish(turn, scope, control);
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
    for (const step of scope.steps) {
      if ((turn.state.graph.vertices[step.actionEnd] as Vertex).open) continue;
      markSkipped(turn, step.compensation, "its action did not finish");
    }
    save(turn, { ...control, phase: "recover", handled: plan.onFailure === "compensate" });
    return turn.open(scope.recoverStart);
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
  turn.open(scope.recoverStart);
}

/** Every task of the body is done. */
export function bodyEndReached(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  if (control.phase !== "body" || control.error !== undefined) return;
  skipRest(turn, scope.recoverTasks, "nothing failed");
  enterFinally(turn, scope, control);
}

export function recoverEndReached(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  if (control.phase === "recover") enterFinally(turn, scope, control);
}

export function finallyEndReached(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  if (control.phase === "finally") finish(turn, scope, control);
}

/** Puts a freshly compiled scope where its stored phase says it is. */
export function restoreScope(turn: Turn, index: number): void {
  const scope = turn.state.graph.scopes[index] as FailureScope;
  const control = scopeState(turn, scope);
  switch (control.phase) {
    case "body":
      if (control.error !== undefined) advanceAfterFailure(turn, index);
      return;
    case "recover":
      if (scope.plan.kind === "try" && scope.plan.catch === undefined) return;
      return turn.open(scope.recoverStart);
    case "finally":
      return turn.open(scope.finallyStart);
    case "done":
      return leave(turn, scope, control);
    default:
      return control.phase satisfies never;
  }
}

function enterFinally(turn: Turn, scope: FailureScope, control: ScopeState): void {
  if (scope.finallyStart < 0) return finish(turn, scope, control);
  save(turn, { ...control, phase: "finally" });
  turn.open(scope.finallyStart);
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
  // Whoever depends on the failed task by name goes on as after a tolerated failure.
  openFailed(turn, control.failedKey ?? null);
  turn.open(scope.end);
}

function openFailed(turn: Turn, key: TaskKey | null): void {
  const node = key === null ? undefined : turn.state.nodes.get(key);
  if (node !== undefined && node.vertex >= 0) turn.open(node.vertex);
}

function scopeState(turn: Turn, scope: FailureScope): ScopeState {
  const control = turn.state.controls.get(scope.plan.id);
  return control?.kind === "scope" ? control : { kind: "scope", id: scope.plan.id, phase: "body" };
}

function save(turn: Turn, control: ScopeState): void {
  turn.control(control);
}

function isQuiet(turn: Turn, keys: readonly TaskKey[]): boolean {
  return keys.every((key) => !turn.state.running.has(key));
}

function hasFailure(turn: Turn, keys: readonly TaskKey[]): boolean {
  return keys.some((key) => {
    const node = turn.state.nodes.get(key);
    return node?.row.state === "failed" && node.task?.continueOnFail !== true;
  });
}

/** All of them are marked before any vertex opens, so that none starts in between. */
function skipRest(turn: Turn, keys: readonly TaskKey[], reason: string): void {
  const skipped: number[] = [];
  for (const key of keys) {
    const node = turn.state.nodes.get(key);
    if (node === undefined || node.attempt !== null || isTerminalNode(node.row.state)) continue;
    node.queued = false;
    skipNode(turn, node, reason);
    skipped.push(node.vertex);
  }
  for (const vertex of skipped) if (vertex >= 0) turn.open(vertex);
}

/** Whether tasks of a region may start: no part around it has failed or is over. */
export function isRegionActive(turn: Turn, region: number): boolean {
  if (region < 0) return true;
  const scope = turn.state.graph.scopes[Math.floor(region / 3)] as FailureScope;
  const control = scopeState(turn, scope);
  const active =
    region % 3 === REGION_BODY
      ? control.phase === "body" && control.error === undefined
      : control.phase === (region % 3 === REGION_RECOVER ? "recover" : "finally");
  return active && isRegionActive(turn, scope.region);
}

function markSkipped(turn: Turn, keys: readonly TaskKey[], reason: string): void {
  for (const key of keys) {
    const node = turn.state.nodes.get(key);
    if (node !== undefined) node.skipReason = reason;
  }
}

function withCause(error: SerializedError, cause: SerializedError | undefined): SerializedError {
  return cause === undefined || error.cause !== undefined ? error : { ...error, cause };
}
