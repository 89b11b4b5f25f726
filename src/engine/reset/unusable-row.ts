import { ServiceError } from "../../errors/service-error.js";
import { shapeOf, type TaskKey, taskKey, type TaskPlace } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { NodeRow } from "../../model/node.js";
import type { LoopState } from "../../model/plan.js";
import type { CompiledPlan } from "../../scheduler/index.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { renderRunSnapshot } from "./reset-snapshot.js";
import { roundsOf } from "./reach.js";
import { begun, loopsOf } from "./rewind.js";

/** Whether a frame cannot be drawn because of a stored row, and of this one if a place is given. */
export function isAboutRow(thrown: unknown, place?: TaskPlace): boolean {
  if (!ServiceError.is(thrown, "INVALID_OUTPUT")) return false;
  const row = thrown.details?.["storedRow"] as TaskPlace | undefined;
  return row !== undefined && (place === undefined || taskKey(row) === taskKey(place));
}

/**
 * The tree around a node that is to run again. Where its row is what keeps the tree from being drawn, the tree is
 * that without the row: to make the row anew is what mends it.
 */
export function frameAround(
  services: EngineServices,
  workflow: EngineWorkflow,
  { runSnapshot, node }: { runSnapshot: RunSnapshot; node: NodeRow },
): { frame: RenderedFrame; isWithoutRow: boolean } {
  try {
    return { frame: renderRunSnapshot(services, workflow, runSnapshot), isWithoutRow: false };
  } catch (thrown) {
    if (!isAboutRow(thrown, node)) throw thrown;
    const outputs = runSnapshot.outputs.filter(({ row }) => taskKey(row) !== taskKey(node));
    return { frame: renderRunSnapshot(services, workflow, { ...runSnapshot, outputs }), isWithoutRow: true };
  }
}

interface Hidden {
  keys: readonly TaskKey[];
  loops: readonly LoopState[];
}

export const NOTHING_HIDDEN: Hidden = { keys: [], loops: [] };

/** What the tree without the row does not show, and came after it: it was there because of the row. */
export function hiddenBehind(runSnapshot: RunSnapshot, node: NodeRow, plan: CompiledPlan): Hidden {
  const shown = new Set(plan.tasks.map(({ nodeId }) => shapeOf(nodeId)));
  const since = node.finishedSeq ?? Number.POSITIVE_INFINITY;
  const hidden = runSnapshot.nodes.filter(
    ({ nodeId, finishedSeq }) => !shown.has(shapeOf(nodeId)) && (finishedSeq === null || finishedSeq > since),
  );
  const shownLoops = new Set(plan.loops.map((loop) => shapeOf(loop.plan.id)));
  const around = new Set(hidden.flatMap(roundsOf).map(({ loop }) => loop));
  return {
    keys: hidden.map(taskKey),
    loops: loopsOf(runSnapshot)
      .filter(({ id }) => around.has(shapeOf(id)) && !shownLoops.has(shapeOf(id)))
      .map(({ id }) => begun(id, runSnapshot.run.config)),
  };
}
