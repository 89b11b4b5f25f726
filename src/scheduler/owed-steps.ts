import type { TaskKey } from "../model/address.js";
import { isTerminalNode } from "../model/node.js";
import type { ScopeState } from "../model/plan.js";
import type { FailureScope } from "./graph-types.js";
import { scopeState } from "./regions.js";
import type { NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/*
 * Steps of sagas that have done something, and that a failure would undo. They are kept with the saga's state in the
 * commit that finishes their task, so that a frame which no longer has such a step is noticed, in every process.
 */

/** The task has finished: the sagas around it owe its step, or no longer owe one that is undone. */
export function noteFinished(context: StepContext, node: NodeRecord): void {
  const { graph } = context.state;
  let region = graph.vertices[node.vertex]?.region ?? -1;
  for (let place = graph.regions[region]; place !== undefined; place = graph.regions[region]) {
    if (place.part === "after-approval") {
      region = place.around;
      continue;
    }
    const scope = graph.scopes[place.scope] as FailureScope;
    if (place.part === "body") noteWork(context, scope);
    else if (place.step !== null) noteUndone(context, scope, place.step);
    region = scope.region;
  }
}

/** Of a body that has not failed: afterwards what is to be undone is decided. */
export function noteWork(context: StepContext, scope: FailureScope): void {
  const control = scopeState(context, scope);
  const { plan } = scope;
  if (plan.kind !== "saga" || plan.onFailure === "fail") return;
  if (control.phase !== "body" || control.error !== undefined) return;
  const stateOf = (key: TaskKey) => context.state.nodes.get(key)?.row.state ?? "pending";
  // Nothing of it can fail any more.
  const isOver = scope.bodyTasks.every((key) => isTerminalNode(stateOf(key)));
  const worked = isOver
    ? []
    : scope.steps.filter(({ action }) => action.some((key) => stateOf(key) === "finished"));
  const rendered = new Set(scope.steps.map(({ id }) => id));
  const gone = isOver ? [] : (control.owes ?? []).filter((id) => !rendered.has(id));
  owe(context, control, [...gone, ...worked.map(({ id }) => id)]);
}

function noteUndone(context: StepContext, scope: FailureScope, step: string): void {
  const control = scopeState(context, scope);
  const compensation = scope.steps.find(({ id }) => id === step)?.compensation ?? [];
  const isPending = (key: TaskKey) => !isTerminalNode(context.state.nodes.get(key)?.row.state ?? "pending");
  if (compensation.some(isPending)) return;
  owe(
    context,
    control,
    (control.owes ?? []).filter((id) => id !== step),
  );
}

function owe(context: StepContext, control: ScopeState, owes: string[]): void {
  const known = control.owes ?? [];
  if (known.length === owes.length && known.every((id, at) => id === owes[at])) return;
  context.control({ ...control, owes });
}
