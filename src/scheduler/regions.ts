import type { TaskKey } from "../model/address.js";
import type { ScopeState } from "../model/plan.js";
import type { FailureScope, ScopePart } from "./graph-types.js";
import type { SchedulerState } from "./state.js";
import type { Move } from "./move.js";

/** Whether tasks of a region may start: no part around it has failed or is over, no approval before it was denied. */
export function isRegionActive(move: Move, region: number): boolean {
  const { state } = move;
  const place = state.graph.regions[region];
  if (place === undefined) return true;
  if (place.part === "after-approval") {
    return !isDeniedApproval(state, place.approval) && isRegionActive(move, place.around);
  }
  const scope = state.graph.scopes[place.scope] as FailureScope;
  return isPartActive(scopeState(move, scope), place) && isRegionActive(move, scope.region);
}

function isPartActive(control: ScopeState, { part, step }: ScopePart): boolean {
  if (control.phase !== part) return false;
  if (part === "body") return control.error === undefined;
  return step === null ? control.broken !== part : control.undo?.includes(step) === true;
}

export function scopeState(move: Move, scope: FailureScope): ScopeState {
  const control = move.state.controls.get(scope.plan.id);
  return control?.kind === "scope" ? control : { kind: "scope", id: scope.plan.id, phase: "body" };
}

export function liesInside(move: Move, region: number, scope: FailureScope): boolean {
  const { regions, scopes } = move.state.graph;
  const place = regions[region];
  if (place === undefined) return false;
  if (place.part === "after-approval") return liesInside(move, place.around, scope);
  const around = scopes[place.scope] as FailureScope;
  return around === scope || liesInside(move, around.region, scope);
}

/** The region lies behind an approval that was denied and skipped. */
export function isAfterDenial(move: Move, region: number): boolean {
  const place = move.state.graph.regions[region];
  if (place === undefined) return false;
  if (place.part !== "after-approval") {
    return isAfterDenial(move, (move.state.graph.scopes[place.scope] as FailureScope).region);
  }
  return isDeniedApproval(move.state, place.approval) || isAfterDenial(move, place.around);
}

export function isDeniedApproval(state: SchedulerState, key: TaskKey): boolean {
  return state.approvals.get(key)?.status === "denied" && state.nodes.get(key)?.row.state === "skipped";
}
