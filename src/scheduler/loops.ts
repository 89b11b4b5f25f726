import type { SerializedError } from "../errors/ensure-error.js";
import { parseTaskKey } from "../model/address.js";
import type { LoopState } from "../model/plan.js";
import type { LoopVertex, Vertex } from "./graph-types.js";
import { continueAfter } from "./continue-as-new.js";
import { isDenied } from "./denials.js";
import { isRegionActive } from "./regions.js";
import { failRegion } from "./scopes.js";
import { isSpinning, wasGivenUp } from "./spinning.js";
import type { StepContext } from "./step-context.js";
import type { SchedulerView } from "./view.js";

/**
 * Loops. An iteration is over when its tasks are done; `until` is then read
 * from a frame that was rendered after that, never from an earlier one.
 */

type LoopProgress = Pick<SchedulerView, "controls" | "initialIterations" | "initialIteration">;

/** The iteration a loop is at, before its first frame too. */
export function loopIteration(state: LoopProgress, id: string): number {
  const control = state.controls.get(id);
  if (control?.kind === "loop") return control.iteration;
  const { initialIterations, initialIteration } = state;
  return Object.hasOwn(initialIterations, id) ? (initialIterations[id] as number) : initialIteration;
}

/** Persists the start of a loop that a frame mounted. */
export function mountLoop(context: StepContext, loop: LoopVertex): void {
  if (context.state.controls.has(loop.plan.id)) return;
  context.control(loopState(context, loop));
}

export function loopState(context: StepContext, loop: LoopVertex): LoopState {
  const control = context.state.controls.get(loop.plan.id);
  if (control?.kind === "loop") return control;
  return { kind: "loop", id: loop.plan.id, iteration: loop.plan.iteration, done: false, exhausted: false };
}

/** Nothing of the iteration is pending any more. */
export function loopEndReached(context: StepContext, index: number): void {
  const loop = context.state.graph.loops[index] as LoopVertex;
  const control = loopState(context, loop);
  if (control.done) return context.open(loop.end);
  if (loop.plan.skip) return endLoop(context, loop, false);
  context.state.graph.loopsAtEnd.add(index);
  if (!context.state.adopting) context.wantFrame({ reason: "control", force: true });
}

/**
 * Decides every loop whose iteration is over, innermost first, by the frame that
 * has just been rendered. True when a loop ended, so that others may have come to
 * their end.
 */
export function decideLoops(context: StepContext): boolean {
  const { loops, loopsAtEnd, vertices } = context.state.graph;
  if (loopsAtEnd.size === 0) return false;
  let ended = false;
  for (const index of [...loopsAtEnd].sort((a, b) => b - a)) {
    const loop = loops[index] as LoopVertex;
    const end = vertices[loop.end] as Vertex;
    if (!end.open) decideLoop(context, loop);
    if (!end.open) continue;
    loopsAtEnd.delete(index);
    ended = true;
  }
  return ended;
}

function decideLoop(context: StepContext, loop: LoopVertex): void {
  const { plan } = loop;
  const control = loopState(context, loop);
  // The frame shows an earlier iteration than the one decided already: wait for the next.
  if (control.done || control.iteration !== plan.iteration) return;
  if (isToEnd(context, loop)) return endLoop(context, loop, false);
  const next = control.iteration + 1;
  if (next >= plan.maxIterations) {
    if (plan.onMaxReached === "return-last") return endLoop(context, loop, true);
    return failLoop(context, loop, {
      code: "RALPH_MAX_REACHED",
      message: `Loop ${plan.id} reached maxIterations ${plan.maxIterations} and its until is still false.`,
      details: { loopId: plan.id, maxIterations: plan.maxIterations },
    });
  }
  if (plan.maxIterations === Number.POSITIVE_INFINITY && isSpinning(context, loop)) {
    if (wasGivenUp(context, loop)) return endLoop(context, loop, true);
    const why = loop.tasks.length === 0 ? "has no tasks" : "skips every task again and again";
    return failLoop(context, loop, {
      code: "SCHEDULER_ERROR",
      message: `Loop ${plan.id} ${why}, has no limit, and its until is false: it would spin for ever.`,
      details: { loopId: plan.id, nodeIds: loop.tasks.map((key) => parseTaskKey(key).nodeId) },
    });
  }
  const every = plan.continueAsNewEvery;
  if (every !== undefined && next % every === 0) {
    return continueAfter(context, loop);
  }
  const { kind, id, done, exhausted } = control;
  context.control({ kind, id, iteration: next, done, exhausted });
  context.event({ type: "LoopAdvanced", loopId: plan.id, iteration: next });
  context.wantFrame({ reason: "control", force: true });
}

/** No further iteration: by `until`, or because nothing of it could run. */
export function isToEnd(context: StepContext, loop: LoopVertex): boolean {
  return loop.plan.until || !isRegionActive(context, loop.region) || isAllDenied(context, loop);
}

/** Everything in it depends on something that was denied: so would every further iteration. */
function isAllDenied(context: StepContext, loop: LoopVertex): boolean {
  return loop.tasks.length > 0 && loop.tasks.every((key) => isDenied(context, key));
}

/** Fails the part around the loop. Where a scope contains that, the loop itself is over. */
export function failLoop(
  context: StepContext,
  loop: LoopVertex,
  error: Pick<SerializedError, "code" | "message" | "details">,
): void {
  failRegion(context, loop.region, {
    key: null,
    error: { name: "ServiceError", retryable: false, ...error },
  });
  if (!isRegionActive(context, loop.region)) endLoop(context, loop, error.code === "RALPH_MAX_REACHED");
}

export function endLoop(context: StepContext, loop: LoopVertex, exhausted: boolean): void {
  const control = loopState(context, loop);
  context.control({ ...control, done: true, exhausted });
  if (exhausted) context.state.exhausted.add(loop.plan.id);
  context.event({
    type: "LoopFinished",
    loopId: loop.plan.id,
    iterations: control.iteration + 1,
    exhausted,
  });
  // A task that a newer plan has put before it comes first.
  if ((context.state.graph.vertices[loop.end] as Vertex).pending === 0) context.open(loop.end);
}
