import type { SerializedError } from "../errors/ensure-error.js";
import type { LoopState } from "../model/plan.js";
import type { LoopVertex, Vertex } from "./graph-types.js";
import { continueAfter } from "./continue-as-new.js";
import { isDenied } from "./denials.js";
import { isRegionActive } from "./regions.js";
import { failRegion } from "./scopes.js";
import { isSpinning, wasGivenUp } from "./spinning.js";
import type { Turn } from "./turn.js";
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
export function mountLoop(turn: Turn, loop: LoopVertex): void {
  if (turn.state.controls.has(loop.plan.id)) return;
  turn.control(loopState(turn, loop));
}

export function loopState(turn: Turn, loop: LoopVertex): LoopState {
  const control = turn.state.controls.get(loop.plan.id);
  if (control?.kind === "loop") return control;
  return { kind: "loop", id: loop.plan.id, iteration: loop.plan.iteration, done: false, exhausted: false };
}

/** Nothing of the iteration is pending any more. */
export function loopEndReached(turn: Turn, index: number): void {
  const loop = turn.state.graph.loops[index] as LoopVertex;
  const control = loopState(turn, loop);
  if (control.done) return turn.open(loop.end);
  if (loop.plan.skip) return endLoop(turn, loop, false);
  turn.state.graph.loopsAtEnd.add(index);
  if (!turn.state.adopting) turn.wantFrame({ reason: "control", force: true });
}

/**
 * Decides every loop whose iteration is over, innermost first, by the frame that
 * has just been rendered. True when a loop ended, so that others may have come to
 * their end.
 */
export function decideLoops(turn: Turn): boolean {
  const { loops, loopsAtEnd, vertices } = turn.state.graph;
  if (loopsAtEnd.size === 0) return false;
  let ended = false;
  for (const index of [...loopsAtEnd].sort((a, b) => b - a)) {
    const loop = loops[index] as LoopVertex;
    const end = vertices[loop.end] as Vertex;
    if (!end.open) decideLoop(turn, loop);
    if (!end.open) continue;
    loopsAtEnd.delete(index);
    ended = true;
  }
  return ended;
}

function decideLoop(turn: Turn, loop: LoopVertex): void {
  const { plan } = loop;
  const control = loopState(turn, loop);
  // The frame shows an earlier iteration than the one decided already: wait for the next.
  if (control.done || control.iteration !== plan.iteration) return;
  if (isToEnd(turn, loop)) return endLoop(turn, loop, false);
  const next = control.iteration + 1;
  if (next >= plan.maxIterations) {
    if (plan.onMaxReached === "return-last") return endLoop(turn, loop, true);
    return failLoop(turn, loop, {
      code: "RALPH_MAX_REACHED",
      message: `Loop ${plan.id} reached maxIterations ${plan.maxIterations} and its until is still false.`,
      details: { loopId: plan.id, maxIterations: plan.maxIterations },
    });
  }
  if (plan.maxIterations === Number.POSITIVE_INFINITY && isSpinning(turn, loop)) {
    if (wasGivenUp(turn, loop)) return endLoop(turn, loop, true);
    const why = loop.tasks.length === 0 ? "has no tasks" : "skips every task again and again";
    return failLoop(turn, loop, {
      code: "SCHEDULER_ERROR",
      message: `Loop ${plan.id} ${why}, has no limit, and its until is false: it would spin for ever.`,
      details: { loopId: plan.id },
    });
  }
  const every = plan.continueAsNewEvery;
  if (every !== undefined && next % every === 0) {
    return continueAfter(turn, loop);
  }
  turn.control({ ...control, iteration: next });
  turn.event({ type: "LoopAdvanced", loopId: plan.id, iteration: next });
  turn.wantFrame({ reason: "control", force: true });
}

/** No further iteration: by `until`, or because nothing of it could run. */
export function isToEnd(turn: Turn, loop: LoopVertex): boolean {
  return loop.plan.until || !isRegionActive(turn, loop.region) || isAllDenied(turn, loop);
}

/** Everything in it depends on something that was denied: so would every further iteration. */
function isAllDenied(turn: Turn, loop: LoopVertex): boolean {
  return loop.tasks.length > 0 && loop.tasks.every((key) => isDenied(turn, key));
}

/** Fails the part around the loop. Where a scope contains that, the loop itself is over. */
export function failLoop(
  turn: Turn,
  loop: LoopVertex,
  error: Pick<SerializedError, "code" | "message" | "details">,
): void {
  failRegion(turn, loop.region, {
    key: null,
    error: { name: "ServiceError", retryable: false, ...error },
  });
  if (!isRegionActive(turn, loop.region)) endLoop(turn, loop, error.code === "RALPH_MAX_REACHED");
}

export function endLoop(turn: Turn, loop: LoopVertex, exhausted: boolean): void {
  const control = loopState(turn, loop);
  turn.control({ ...control, done: true, exhausted });
  if (exhausted) turn.state.exhausted.add(loop.plan.id);
  turn.event({
    type: "LoopFinished",
    loopId: loop.plan.id,
    iterations: control.iteration + 1,
    exhausted,
  });
  // What a newer plan has put before it comes first.
  if ((turn.state.graph.vertices[loop.end] as Vertex).pending === 0) turn.open(loop.end);
}
