import { controlId, NO_TASK, parseTaskKey, roundsIn, shapeOf } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { CompiledPlan, FailureScope, Vertex } from "../../scheduler/index.js";

/** Nodes that come after a node because of it, by shape: it is the same in every round. */
export interface Reached {
  tasks: ReadonlySet<string>;
  /** Loops that begin after the node; never one that it is in. */
  loops: ReadonlySet<string>;
}

/** Follows the plan's edges, and those that sagas and try blocks draw only while they run. */
export function reachedFrom(plan: CompiledPlan, nodeId: string): Reached {
  const tasks = new Set<string>();
  const start = plan.vertices.findIndex(
    (vertex) => vertex.kind === "task" && parseTaskKey(vertex.key).nodeId === nodeId,
  );
  const seen = new Set<number>();
  const open = start < 0 ? [] : [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const vertex = plan.vertices[at] as Vertex;
    for (const next of [...vertex.successors, ...laterParts(plan, vertex)]) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
      const { kind, key } = plan.vertices[next] as Vertex;
      if (kind === "task") tasks.add(shapeOf(parseTaskKey(key).nodeId));
    }
  }
  const key = plan.vertices[start]?.key ?? NO_TASK;
  const after = plan.loops.filter((loop) => seen.has(loop.end) && !loop.tasks.includes(key));
  return { tasks, loops: new Set(after.map((loop) => shapeOf(loop.plan.id))) };
}

/** Where the blocks around a vertex continue when their part with the vertex is over, whether it failed or not. */
function laterParts(plan: CompiledPlan, vertex: Vertex): number[] {
  const later: number[] = [];
  let at = vertex.region;
  for (let place = plan.regions[at]; place !== undefined; place = plan.regions[at]) {
    if (place.part === "after-approval") {
      at = place.around;
      continue;
    }
    const scope = plan.scopes[place.scope] as FailureScope;
    if (place.part === "body") later.push(scope.recoverStart);
    if (place.part !== "finally") later.push(scope.finallyStart);
    later.push(scope.end);
    at = scope.region;
  }
  return later.filter((index) => index >= 0);
}

/** A loop around a node and the iteration of it that the node is in. */
export interface Round {
  /** See `shapeOf`. */
  loop: string;
  iteration: number;
}

/** The loops around a loop, saga or try block, outermost first. */
export function roundsAround(address: string): Round[] {
  const rounds = roundsIn(address);
  return rounds.map(({ id, iteration }, depth) => ({
    loop: shapeOf(controlId(id, rounds.slice(0, depth))),
    iteration,
  }));
}

/** The loops around a node, outermost first. */
export function roundsOf({ loopId, iteration }: Pick<NodeRow, "loopId" | "iteration">): Round[] {
  return loopId === null ? [] : [...roundsAround(loopId), { loop: shapeOf(loopId), iteration }];
}

/** Which comes first by the loops that both are in: negative, 0 for the same round or no common loop, positive. */
export function compareRounds(a: readonly Round[], b: readonly Round[]): number {
  for (const [depth, round] of a.entries()) {
    const other = b[depth];
    if (other?.loop !== round.loop) return 0;
    if (other.iteration !== round.iteration) return round.iteration - other.iteration;
  }
  return 0;
}
