import { type TaskKey, taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { NodeRow } from "../../model/node.js";
import type { CompiledPlan } from "../../scheduler/compile.js";
import type { RunImage } from "../../store/contract.js";
import { rewoundLoops } from "./reset-loops.js";
import { firstPart, PHASES } from "./reset-scopes.js";
import { roundsOf } from "./rounds.js";

/**
 * Where the run has left a place behind, a node there would lose its row and never run.
 * @throws INVALID_INPUT
 */
export function refuseAlone(image: RunImage, node: NodeRow, plan: CompiledPlan): void {
  if (isInEarlierRound(image, node)) throw refusal(node, "an earlier round of its loop");
  if (isInPastPart(image, node, plan)) throw refusal(node, "a part of a block that is over");
}

function isInEarlierRound(image: RunImage, node: NodeRow): boolean {
  const now = new Map(
    image.controls.flatMap((control) => (control.kind === "loop" ? [[control.id, control.iteration]] : [])),
  );
  return rewoundLoops(image, roundsOf(node)).some(({ id, iteration }) => now.get(id) !== iteration);
}

function isInPastPart(image: RunImage, node: NodeRow, plan: CompiledPlan): boolean {
  const keys = new Set<TaskKey>([taskKey(node)]);
  return plan.scopes.some((scope) => {
    const part = firstPart(scope, keys);
    const control = image.controls.find(({ kind, id }) => kind === "scope" && id === scope.plan.id);
    if (part === undefined || control?.kind !== "scope") return false;
    return PHASES.indexOf(control.phase) > PHASES.indexOf(part);
  });
}

function refusal({ nodeId, iteration }: NodeRow, where: string): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `${nodeId} stands in ${where}: it runs again only together with what came after it.`,
    { details: { nodeId, iteration } },
  );
}
