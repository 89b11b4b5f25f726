import type { TaskKey } from "../model/address.js";
import type { Graph, LoopVertex } from "./graph-types.js";
import { failForRounds, isUnderWay, MOST_ROUNDS, skipLate } from "./loop-rounds.js";
import { isToEnd, loopState } from "./loops.js";
import { isEnding } from "./state.js";
import type { StepContext } from "./step-context.js";

/**
 * Turnover: a frame that mounts tasks of new ids in an iteration while others of
 * it have not ended. It may continue, since the new ones may follow from the rows of
 * the old ones; but where `until` holds already none of them starts, and a loop
 * that replaces its tasks again and again never comes to the frame that decides.
 */
export function decideTurnover(
  context: StepContext,
  before: Graph,
  { created, ended }: { created: ReadonlySet<TaskKey>; ended: ReadonlyMap<string, number> },
): void {
  if (before.loops.length === 0 || created.size === 0) return;
  const { graph } = context.state;
  const earlier = new Map(before.loops.map((loop) => [loop.plan.id, loop]));
  // Innermost first: what an inner loop skips is over for the outer one too.
  for (const [at, loop] of [...graph.loops.entries()].reverse()) {
    const then = earlier.get(loop.plan.id);
    const { iteration } = loop.plan;
    if (then === undefined || then.plan.iteration !== iteration || ended.get(loop.plan.id) === iteration) {
      continue;
    }
    const control = loopState(context, loop);
    if (control.done || control.iteration !== iteration || then.tasks.length === 0) continue;
    const inner = graph.loops.filter(({ around }) => around.includes(at));
    const own = ownTasks(loop, inner);
    const fresh = own.filter((key) => created.has(key));
    if (fresh.length === 0) continue;
    if (isToEnd(context, loop)) {
      if (!isUnderWay(context, loop, inner)) skipLate(context, nodesOf(context, fresh));
    } else if (isReplacing(before, then, own)) {
      countTurnover(context, loop, { fresh, share: fresh.length / own.length });
    }
  }
}

/** Inner loops have iterations of their own. */
function ownTasks({ tasks }: LoopVertex, inner: readonly LoopVertex[]): TaskKey[] {
  const others = new Set(inner.flatMap((loop) => loop.tasks));
  return tasks.filter((key) => !others.has(key));
}

/** Something of the iteration is not mounted any more. */
function isReplacing(before: Graph, then: LoopVertex, own: readonly TaskKey[]): boolean {
  const at = before.loops.indexOf(then);
  const inner = before.loops.filter(({ around }) => around.includes(at));
  const mounted = new Set(own);
  return ownTasks(then, inner).some((key) => !mounted.has(key));
}

function countTurnover(
  context: StepContext,
  loop: LoopVertex,
  { fresh, share }: { fresh: readonly TaskKey[]; share: number },
): void {
  const { id, iteration } = loopState(context, loop);
  const { rounds } = context.state;
  const known = rounds.get(id);
  // As many as are mounted at once make a round, however few a frame replaces.
  const count = known?.iteration === iteration ? known.count + share : share;
  rounds.set(id, { iteration, count });
  if (count >= MOST_ROUNDS && !isEnding(context.state)) failForRounds(context, loop, nodesOf(context, fresh));
}

function nodesOf(context: StepContext, keys: readonly TaskKey[]) {
  return keys.flatMap((key) => context.state.nodes.get(key) ?? []);
}
