import type { SerializedError } from "../errors/ensure-error.js";
import type { TaskKey } from "../model/address.js";
import type { ScopeState } from "../model/plan.js";
import type { FailureScope } from "./graph-types.js";
import { scopeState } from "./regions.js";
import { isOpen, isQuiet, openFailed, save, skipRest, withCause } from "./scope-parts.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/** The step's action has done something, and nothing of it failed. */
export function hasEffects(
  context: StepContext,
  scope: FailureScope,
  step: { id: string; control: ScopeState },
): boolean {
  const action = scope.steps.find(({ id }) => id === step.id)?.action ?? [];
  if (step.control.failedKey !== undefined && action.includes(step.control.failedKey)) return false;
  return action.some((key) => context.state.nodes.get(key)?.row.state === "finished");
}

/**
 * Whether a saga around the task, which a budget leaves out, would end with some of its work done and the rest not:
 * something of it has begun, or is not for that budget to refuse.
 */
export function leavesHalfDone(context: StepContext, node: NodeRecord, aspectId: string): boolean {
  const { graph, nodes } = context.state;
  const isDone = (key: TaskKey) => {
    const { row, task } = nodes.get(key) ?? {};
    if (key === node.key || row === undefined || row.state === "skipped") return false;
    return (
      (row.state !== "pending" && row.state !== "cancelled") || task?.aspectIds?.includes(aspectId) !== true
    );
  };
  let region = graph.vertices[node.vertex]?.region ?? -1;
  for (let place = graph.regions[region]; place !== undefined; place = graph.regions[region]) {
    if (place.part === "after-approval") {
      region = place.around;
      continue;
    }
    const scope = graph.scopes[place.scope] as FailureScope;
    if (scope.plan.kind === "saga" && place.part === "body" && scope.bodyTasks.some(isDone)) return true;
    region = scope.region;
  }
  return false;
}

/** The other compensations still run: each undoes something of its own. */
export function failCompensation(
  context: StepContext,
  scope: FailureScope,
  failed: { step: string; error: SerializedError },
): void {
  const control = scopeState(context, scope);
  const undo = control.undo ?? [];
  const compensation = scope.steps.find(({ id }) => id === failed.step)?.compensation ?? [];
  if (undo.includes(failed.step)) {
    save(context, {
      ...control,
      error: control.broken === "recover" ? control.error : withCause(failed.error, control.error),
      handled: false,
      broken: "recover",
      undo: undo.filter((id) => id !== failed.step),
    });
    skipRest(context, compensation, "an earlier step of the compensation failed");
  }
  passFailedCompensations(context, scope);
}

/**
 * Compensations to run that threw when they were to be rendered. Those that threw in the
 * last render, before the rows they read existed, are rendered again.
 */
export function unrendered(
  context: StepContext,
  { plan }: FailureScope,
): { step: string; error: SerializedError }[] {
  const control = context.state.controls.get(plan.id);
  if (plan.kind !== "saga" || control?.kind !== "scope") return [];
  return plan.steps.flatMap(({ id, compensationError: error }) =>
    error !== undefined && control.undo?.includes(id) === true ? [{ step: id, error }] : [],
  );
}

/** Continues with the next compensation where one has failed and nothing of it runs any more. */
export function passFailedCompensations(context: StepContext, scope: FailureScope): void {
  const { undo = [] } = scopeState(context, scope);
  let before = scope.recoverStart;
  for (const step of scope.steps.toReversed()) {
    if (!isOpen(context, before)) return;
    if (!undo.includes(step.id) && isQuiet(context, step.compensation)) {
      openFailed(context, step.compensation);
      context.open(step.compensationEnd);
    }
    before = step.compensationEnd;
  }
}
