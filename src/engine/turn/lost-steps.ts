import { ServiceError } from "../../errors/service-error.js";
import { type PlanNode, partsOfPlan } from "../../model/plan.js";
import type { SchedulerView } from "../../scheduler/index.js";

/**
 * A frame without a step of a saga that has done something, and that a failure would have to undo: the compensation
 * stands in the tree and nowhere else.
 *
 * @throws WORKFLOW_RENDER_FAILED
 */
export function refuseLostSteps({ controls, owing, cancelling }: SchedulerView, plan: PlanNode): void {
  if (owing.size === 0 || cancelling !== null) return;
  const steps = new Map<string, ReadonlySet<string>>();
  collectSagas(plan, steps);
  for (const sagaId of owing) {
    const control = controls.get(sagaId);
    const owes = (control?.kind === "scope" && control.owes) || [];
    const lost = owes.filter((id) => steps.get(sagaId)?.has(id) !== true);
    if (lost.length === 0) continue;
    const named = `${lost.length === 1 ? "step" : "steps"} ${lost.join(", ")}`;
    throw new ServiceError(
      "WORKFLOW_RENDER_FAILED",
      `Saga ${sagaId} is under way and no longer renders its ${named}: what was done there could not be undone any more. Keep a step that has begun in the tree until its saga has ended; for work that is done and needs no undo, give it the compensation null.`,
      { details: { sagaId, steps: lost } },
    );
  }
}

function collectSagas(plan: PlanNode, steps: Map<string, ReadonlySet<string>>): void {
  if (plan.kind === "saga") steps.set(plan.id, new Set(plan.steps.map(({ id }) => id)));
  for (const part of partsOfPlan(plan)) collectSagas(part, steps);
}
