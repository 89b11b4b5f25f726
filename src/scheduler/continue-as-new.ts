import type { Vertex } from "./graph-types.js";
import { isRegionActive } from "./regions.js";
import type { Turn } from "./turn.js";

/** The plan reached a ContinueAsNew element: nothing new starts, and the run continues once it is quiet. */
export function reachContinue(turn: Turn, index: number): void {
  const { state } = turn;
  const plan = state.graph.continues.get(index);
  if (plan === undefined || state.continuation !== null) return;
  const { region } = state.graph.vertices[index] as Vertex;
  // Like a task of a block that is over, or after a denied approval, it is passed over.
  if (!isRegionActive(turn, region)) return turn.open(index);
  const loops: Record<string, number> = {};
  let iteration = 0;
  for (const loopId of plan.loopIds) {
    const control = state.controls.get(loopId);
    if (control?.kind !== "loop") continue;
    iteration = control.iteration + 1;
    loops[loopId] = iteration;
  }
  state.continuation = { state: plan.state, loops, iteration };
}
