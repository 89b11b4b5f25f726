import type { LoopVertex, Vertex } from "./graph-types.js";
import { isRegionActive } from "./regions.js";
import type { StepContext } from "./step-context.js";
import type { ContinuationRequest } from "./state.js";

/**
 * Going on in a new run: nothing new starts, and the run continues once it is
 * quiet. In a loop the new run continues with the loop's next iteration; every
 * other loop, and whatever has ended outside of it, is where it was, so that a
 * chain of runs comes to its end.
 */

/** The plan reached a ContinueAsNew element. Outside of loops the new run begins anew. */
export function reachContinue(context: StepContext, index: number): void {
  const { state } = context;
  const plan = state.graph.continues.get(index);
  if (plan === undefined || state.continuation !== null) return;
  const { region } = state.graph.vertices[index] as Vertex;
  // Like a task of a block that is over, or after a denied approval, it is passed over.
  if (!isRegionActive(context, region)) return context.open(index);
  const innermost = state.graph.loops.find(({ plan: { id } }) => id === plan.loopIds.at(-1));
  // There is no next iteration to continue with: the loop decides how it ends.
  if (innermost !== undefined && innermost.plan.iteration + 1 >= innermost.plan.maxIterations) {
    return context.open(index);
  }
  const place = innermost === undefined ? { loopId: null, iteration: 0 } : placeAfter(innermost);
  state.continuation = { state: plan.state, ...place };
}

/** The loop has come to a multiple of its `continueAsNewEvery`. */
export function continueAfter(context: StepContext, loop: LoopVertex): void {
  context.state.continuation ??= { state: undefined, keepsState: true, ...placeAfter(loop) };
}

/** Where `loop` continues in the new run. */
function placeAfter({ plan }: LoopVertex): Pick<ContinuationRequest, "loopId" | "iteration" | "isBounded"> {
  const place = { loopId: plan.id, iteration: plan.iteration + 1 };
  return plan.maxIterations === Number.POSITIVE_INFINITY ? place : { ...place, isBounded: true };
}
