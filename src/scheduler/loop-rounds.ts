import type { TaskKey } from "../model/address.js";
import { isTerminalNode } from "../model/node.js";
import type { Graph, LoopVertex } from "./graph-types.js";
import { decideLoops, endLoop, failLoop, isToEnd, loopState } from "./loops.js";
import { openIfReached, skipNode } from "./nodes.js";
import { reachTask } from "./reach-task.js";
import { scopeState } from "./regions.js";
import { isEnding, type NodeRecord } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * Rounds: an iteration whose tasks have all ended, and in which the next frame
 * mounts others. That frame decides before any of them starts: `until` ends the
 * loop, otherwise the iteration continues with them.
 */

/** Rounds of one iteration. Distinguishes a loop that mounts new tasks again and again from a long one. */
export const MOST_ROUNDS = 1_000;

/** Ids in a message. */
const MOST_NAMED = 5;

/** A loop and what a frame mounts in its iteration, all else of which has ended. */
interface GrownLoop {
  readonly index: number;
  readonly fresh: readonly TaskKey[];
  /** Loops inside it that were there before. */
  readonly inner: readonly LoopVertex[];
}

/** Loops of the plan so far whose iteration has tasks, all of them ended: their iterations by id. */
export function endedIterations(context: StepContext, before: Graph): Map<string, number> {
  const ended = new Map<string, number>();
  for (const loop of before.loops) {
    const { id, iteration } = loop.plan;
    const control = context.state.controls.get(id);
    const isAtIt = control?.kind === "loop" && !control.done && control.iteration === iteration;
    if (isAtIt && loop.tasks.length > 0 && loop.tasks.every((key) => hasEnded(context, key))) {
      ended.set(id, iteration);
    }
  }
  return ended;
}

function hasEnded(context: StepContext, key: TaskKey): boolean {
  const node = context.state.nodes.get(key);
  return node !== undefined && node.attempt === null && isTerminalNode(node.row.state);
}

/** Finds the loops that the new plan has more tasks of, and holds these back until the frame has decided. */
export function holdRounds(
  context: StepContext,
  before: Graph,
  ended: ReadonlyMap<string, number>,
): GrownLoop[] {
  if (ended.size === 0) return [];
  const { graph } = context.state;
  const mounted = new Set(before.vertices.map((vertex) => vertex.key));
  const known = new Set(before.loops.map(({ plan }) => plan.id));
  const grown: GrownLoop[] = [];
  const heldBack = new Set(context.heldBack);
  for (const [index, loop] of graph.loops.entries()) {
    if (ended.get(loop.plan.id) !== loop.plan.iteration) continue;
    const fresh = loop.tasks.filter((key) => !mounted.has(key));
    if (fresh.length === 0) continue;
    for (const key of fresh) heldBack.add(key);
    const inner = graph.loops.filter(({ plan, around }) => around.includes(index) && known.has(plan.id));
    grown.push({ index, fresh, inner });
  }
  context.heldBack = heldBack;
  return grown;
}

/** Decides these loops by the frame that has just been rendered, innermost first, and lets the others' tasks continue. */
export function decideRounds(context: StepContext, grown: readonly GrownLoop[]): void {
  for (const round of grown.toReversed()) decideRound(context, round);
  const held = context.heldBack;
  context.heldBack = new Set();
  if (isEnding(context.state)) return;
  for (const key of held) {
    const node = context.state.nodes.get(key);
    const vertex = context.state.graph.vertices[node?.vertex ?? -1];
    if (node !== undefined && vertex?.pending === 0 && !vertex.open) reachTask(context, node.vertex, vertex);
  }
  while (decideLoops(context));
}

function decideRound(context: StepContext, { index, fresh, inner }: GrownLoop): void {
  const loop = context.state.graph.loops[index] as LoopVertex;
  const control = loopState(context, loop);
  if (control.done || isUnderWay(context, loop, inner)) return;
  const left = fresh.flatMap((key) => context.state.nodes.get(key) ?? []);
  if (isToEnd(context, loop)) {
    skipLate(context, left);
    return endLoop(context, loop, false);
  }
  const { rounds } = context.state;
  const known = rounds.get(control.id);
  const count = known?.iteration === control.iteration ? known.count + 1 : 1;
  rounds.set(control.id, { iteration: control.iteration, count });
  if (count < MOST_ROUNDS) return;
  failForRounds(context, loop, left);
}

/** It would continue for ever. */
export function failForRounds(context: StepContext, loop: LoopVertex, left: readonly NodeRecord[]): void {
  const { id, iteration } = loopState(context, loop);
  const nodeIds = left.map(({ row }) => row.nodeId);
  const named = nodeIds.slice(0, MOST_NAMED).join(", ");
  const more = nodeIds.length > MOST_NAMED ? ` and ${nodeIds.length - MOST_NAMED} more` : "";
  skipLate(context, left);
  failLoop(context, loop, {
    code: "SCHEDULER_ERROR",
    message: `Loop ${id} has mounted tasks with new ids ${MOST_ROUNDS} times in iteration ${iteration}, the last time ${named}${more}, and its until is still false: it would continue for ever. Give tasks of a loop the same id in every iteration.`,
    details: { loopId: id, iteration, nodeIds },
  });
}

/** A loop or a block inside, that was there before, has not come to its end. */
export function isUnderWay(context: StepContext, loop: LoopVertex, inner: readonly LoopVertex[]): boolean {
  if (inner.some((other) => !loopState(context, other).done)) return true;
  const inside = new Set(loop.tasks);
  return context.state.graph.scopes.some((scope) => {
    const { phase } = scopeState(context, scope);
    return (phase === "recover" || phase === "finally") && scope.bodyTasks.some((key) => inside.has(key));
  });
}

/** Tasks that a frame adds to a loop which is over do not run. */
export function skipLateTasks(context: StepContext, created: ReadonlySet<TaskKey>): void {
  if (created.size === 0) return;
  const { graph, nodes, controls } = context.state;
  for (const loop of graph.loops) {
    const control = controls.get(loop.plan.id);
    if (control?.kind !== "loop" || !control.done) continue;
    skipLate(
      context,
      loop.tasks.flatMap((key) => (created.has(key) ? (nodes.get(key) ?? []) : [])),
    );
  }
}

export function skipLate(context: StepContext, nodes: readonly NodeRecord[]): void {
  const skipped = nodes.filter(({ attempt, row }) => attempt === null && !isTerminalNode(row.state));
  for (const node of skipped) {
    node.queued = false;
    skipNode(context, node, "the loop around it is over");
  }
  for (const node of skipped) openIfReached(context, node);
}
