import {
  controlId,
  isLaterRound,
  isNested,
  type LoopRound,
  roundsIn,
  writtenId,
} from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import { partsOfPlan, type PlanNode } from "../../model/plan.js";
import { loopIteration, type SchedulerView } from "../../scheduler/index.js";

/** The part of a frame's structure that context views need: its mounted loops and nested tasks. */
export interface Outline {
  /** Control ids in document order, a loop before the loops inside it. */
  readonly loops: readonly string[];
  /** Full id of each task inside nested loops, by the id its author wrote. */
  readonly nested: ReadonlyMap<string, string>;
}

const outlines = new WeakMap<PlanNode, Outline>();

/**
 * The outline of the newest frame, as context views read it. While a frame is
 * being rendered that is the frame before; `adopt` tells whether this mattered.
 */
export class OutlineView {
  #outline: Outline = { loops: [], nested: new Map() };
  #wasRead = false;

  read(): Outline {
    this.#wasRead = true;
    return this.#outline;
  }

  /** The outline, for code that does not render. */
  get newest(): Outline {
    return this.#outline;
  }

  /** Takes a rendered frame over. True when its render read an outline that this frame has made wrong. */
  adopt(frame: RenderedFrame): boolean {
    const before = this.#outline;
    const wasRead = this.#wasRead;
    this.#outline = outlineOf(frame);
    this.#wasRead = false;
    return wasRead && !isSame(before, this.#outline);
  }
}

function isSame(a: Outline, b: Outline): boolean {
  if (a === b) return true;
  if (a.loops.length !== b.loops.length || a.nested.size !== b.nested.size) return false;
  return (
    a.loops.every((id, index) => id === b.loops[index]) &&
    [...a.nested].every(([written, nodeId]) => b.nested.get(written) === nodeId)
  );
}

/** Computed once per structure: frames that look alike share their plan. */
function outlineOf(frame: RenderedFrame): Outline {
  const known = outlines.get(frame.plan);
  if (known !== undefined) return known;
  const loops: string[] = [];
  collectLoops(frame.plan, loops);
  const nested = new Map<string, string>();
  for (const { nodeId } of frame.tasks) {
    if (!isNested(nodeId)) continue;
    const written = writtenId(nodeId);
    if (!nested.has(written)) nested.set(written, nodeId);
  }
  const outline = { loops, nested };
  outlines.set(frame.plan, outline);
  return outline;
}

function collectLoops(plan: PlanNode, into: string[]): void {
  if (plan.kind === "loop") into.push(plan.id);
  for (const part of partsOfPlan(plan)) collectLoops(part, into);
}

/**
 * The iteration that code outside every loop sees: of the first loop that is not
 * done, or of the innermost one that is under way inside it. All done: the last
 * loop's. No loop: where the run's options say that loops start.
 */
export function currentIteration(state: SchedulerView, { loops }: Outline): number {
  let chosen: string | undefined;
  for (const id of loops) {
    if (chosen !== undefined && depthOf(id) <= depthOf(chosen)) break;
    const control = state.controls.get(id);
    if (control?.kind !== "loop" || !control.done) chosen = id;
  }
  const id = chosen ?? loops.at(-1);
  return id === undefined ? state.initialIteration : loopIteration(state, id);
}

/**
 * Iterations by control id, and by the plain id of each loop: of a nested loop its newest round counts. A loop that is
 * mounted by the frame that is being drawn counts already, as it does for a process that draws this frame later.
 */
export function iterationsById(state: SchedulerView, { loops }: Outline): Record<string, number> {
  const byId: Record<string, number> = {};
  const newest = new Map<string, string>();
  const count = (id: string, iteration: number) => {
    byId[id] = iteration;
    const written = writtenId(id);
    const known = newest.get(written);
    if (known !== undefined && !isLaterRound(id, known)) return;
    newest.set(written, id);
    byId[written] = iteration;
  };
  for (const control of state.controls.values()) {
    if (control.kind === "loop") count(control.id, control.iteration);
  }
  for (const id of loops) if (!state.controls.has(id)) count(id, loopIteration(state, id));
  for (const [written, id] of newest) {
    const now = currentAddress(state, id);
    if (now !== id) byId[written] = loopIteration(state, now);
  }
  return byId;
}

/** The address that the loop has in the present rounds of the loops around it, where it may not have begun yet. */
function currentAddress(state: SchedulerView, id: string): string {
  if (!isNested(id)) return id;
  const around: LoopRound[] = [];
  for (const { id: loop } of roundsIn(id)) {
    around.push({ id: loop, iteration: loopIteration(state, controlId(loop, around)) });
  }
  return controlId(writtenId(id), around);
}

function depthOf(address: string): number {
  return roundsIn(address).length;
}
