import type { SerializedError } from "../errors/ensure-error.js";
import type { ScopeState } from "../model/plan.js";
import type { FailureScope } from "./graph-types.js";
import { scopeState } from "./regions.js";
import { isOpen, isQuiet, openFailed, save, skipRest, withCause } from "./scope-parts.js";
import type { Move } from "./move.js";

/** The step's action has done something, and nothing of it failed. */
export function hasEffects(
  move: Move,
  scope: FailureScope,
  step: { id: string; control: ScopeState },
): boolean {
  const action = scope.steps.find(({ id }) => id === step.id)?.action ?? [];
  if (step.control.failedKey !== undefined && action.includes(step.control.failedKey)) return false;
  return action.some((key) => move.state.nodes.get(key)?.row.state === "finished");
}

/** The other compensations still run: each undoes something of its own. */
export function failCompensation(
  move: Move,
  scope: FailureScope,
  failed: { step: string; error: SerializedError },
): void {
  const control = scopeState(move, scope);
  const undo = control.undo ?? [];
  const compensation = scope.steps.find(({ id }) => id === failed.step)?.compensation ?? [];
  if (undo.includes(failed.step)) {
    save(move, {
      ...control,
      error: control.broken === "recover" ? control.error : withCause(failed.error, control.error),
      handled: false,
      broken: "recover",
      undo: undo.filter((id) => id !== failed.step),
    });
    skipRest(move, compensation, "an earlier step of the compensation failed");
  }
  passFailedCompensations(move, scope);
}

/**
 * Compensations to run that threw when they were to be rendered. What the last
 * render threw before the rows they read existed is asked again.
 */
export function unrendered(move: Move, { plan }: FailureScope): { step: string; error: SerializedError }[] {
  const control = move.state.controls.get(plan.id);
  if (plan.kind !== "saga" || control?.kind !== "scope") return [];
  return plan.steps.flatMap(({ id, compensationError: error }) =>
    error !== undefined && control.undo?.includes(id) === true ? [{ step: id, error }] : [],
  );
}

/** Goes on with the next compensation where one has failed and nothing of it runs any more. */
export function passFailedCompensations(move: Move, scope: FailureScope): void {
  const { undo = [] } = scopeState(move, scope);
  let before = scope.recoverStart;
  for (const step of scope.steps.toReversed()) {
    if (!isOpen(move, before)) return;
    if (!undo.includes(step.id) && isQuiet(move, step.compensation)) {
      openFailed(move, step.compensation);
      move.open(step.compensationEnd);
    }
    before = step.compensationEnd;
  }
}
