import type { LoopVertex, Vertex } from "./graph-types.js";
import { isRegionActive } from "./regions.js";
import type { Turn } from "./turn.js";

/**
 * Going on in a new run: nothing new starts, and the run continues once it is
 * quiet. In a loop the new run goes on with the loop's next iteration; every
 * other loop is where it was, so that a chain of runs comes to its end. What
 * stands before the loop runs again, of an ended loop its last iteration.
 */

/** The plan reached a ContinueAsNew element. Outside of loops the new run begins anew. */
export function reachContinue(turn: Turn, index: number): void {
  const { state } = turn;
  const plan = state.graph.continues.get(index);
  if (plan === undefined || state.continuation !== null) return;
  const { region } = state.graph.vertices[index] as Vertex;
  // Like a task of a block that is over, or after a denied approval, it is passed over.
  if (!isRegionActive(turn, region)) return turn.open(index);
  const innermost = state.graph.loops.find(({ plan: { id } }) => id === plan.loopIds.at(-1));
  // There is no next iteration to go on with: the loop decides how it ends.
  if (innermost !== undefined && innermost.plan.iteration + 1 >= innermost.plan.maxIterations) {
    return turn.open(index);
  }
  const place = innermost === undefined ? { loops: {}, iteration: 0 } : placeAfter(turn, innermost);
  state.continuation = { state: plan.state, ...place };
}

/** The loop has come to a multiple of its `continueAsNewEvery`. */
export function continueAfter(turn: Turn, loop: LoopVertex): void {
  turn.state.continuation ??= { state: undefined, keepsState: true, ...placeAfter(turn, loop) };
}

/** Where each loop stands when `loop` goes on with its next iteration. */
function placeAfter(turn: Turn, loop: LoopVertex): { loops: Record<string, number>; iteration: number } {
  const { graph, controls } = turn.state;
  const loops: Record<string, number> = {};
  for (const other of graph.loops) {
    // Loops inside begin anew with the iteration.
    const isInside = other.around.some((at) => graph.loops[at] === loop);
    const control = controls.get(other.plan.id);
    if (!isInside && control?.kind === "loop" && control.iteration > 0) loops[control.id] = control.iteration;
  }
  const iteration = (loops[loop.plan.id] ?? 0) + 1;
  loops[loop.plan.id] = iteration;
  return { loops, iteration };
}
