import type { TaskKey } from "../model/address.js";
import type { ScopeState } from "../model/plan.js";
import type { FailureScope, ScopePart } from "./graph-types.js";
import type { SchedulerState } from "./state.js";
import type { StepContext } from "./step-context.js";

/** Whether tasks of a region may start: no part around it has failed or is over, no approval before it was denied. */
export function isRegionActive(context: StepContext, region: number): boolean {
  const { state } = context;
  const place = state.graph.regions[region];
  if (place === undefined) return true;
  if (place.part === "after-approval") {
    return !isDeniedApproval(state, place.approval) && isRegionActive(context, place.around);
  }
  const scope = state.graph.scopes[place.scope] as FailureScope;
  return isPartActive(scopeState(context, scope), place) && isRegionActive(context, scope.region);
}

function isPartActive(control: ScopeState, { part, step }: ScopePart): boolean {
  if (control.phase !== part) return false;
  if (part === "body") return control.error === undefined;
  return step === null ? control.broken !== part : control.undo?.includes(step) === true;
}

export function scopeState(context: StepContext, scope: FailureScope): ScopeState {
  const control = context.state.controls.get(scope.plan.id);
  return control?.kind === "scope" ? control : { kind: "scope", id: scope.plan.id, phase: "body" };
}

export function liesInside(context: StepContext, region: number, scope: FailureScope): boolean {
  const { regions, scopes } = context.state.graph;
  const place = regions[region];
  if (place === undefined) return false;
  if (place.part === "after-approval") return liesInside(context, place.around, scope);
  const around = scopes[place.scope] as FailureScope;
  return around === scope || liesInside(context, around.region, scope);
}

/** The region lies behind an approval that was denied and skipped. */
export function isAfterDenial(context: StepContext, region: number): boolean {
  const place = context.state.graph.regions[region];
  if (place === undefined) return false;
  if (place.part !== "after-approval") {
    return isAfterDenial(context, (context.state.graph.scopes[place.scope] as FailureScope).region);
  }
  return isDeniedApproval(context.state, place.approval) || isAfterDenial(context, place.around);
}

export function isDeniedApproval(state: SchedulerState, key: TaskKey): boolean {
  return state.approvals.get(key)?.status === "denied" && state.nodes.get(key)?.row.state === "skipped";
}
