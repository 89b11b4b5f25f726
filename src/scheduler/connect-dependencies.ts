import { type TaskKey, taskKey } from "../model/address.js";
import type { TaskDescriptor } from "../model/task.js";
import { dependencyIds } from "../model/dependencies.js";
import type { FailureScope, LoopVertex, Region, ScopePart, Vertex } from "./graph-types.js";

/** The compiler's state once every task has its vertex. */
export interface PlacedTasks {
  readonly tasks: readonly TaskDescriptor[];
  readonly vertices: readonly Vertex[];
  readonly vertexOfNode: ReadonlyMap<string, number>;
  /** Enclosing loops of each node, outermost first. */
  readonly loopsOfNode: ReadonlyMap<string, readonly number[]>;
  readonly loops: readonly LoopVertex[];
  readonly scopes: readonly FailureScope[];
  readonly regions: readonly Region[];
  readonly edge: (from: number, to: number) => void;
}

/** Adds the edges from dependencies that are mounted. @returns the ids of the others, by dependent */
export function connectDependencies(plan: PlacedTasks): Map<TaskKey, string[]> {
  const unmounted = new Map<TaskKey, string[]>();
  for (const task of plan.tasks) {
    const vertex = plan.vertexOfNode.get(task.nodeId) as number;
    for (const nodeId of dependencyIds(task)) {
      const from = plan.vertexOfNode.get(nodeId);
      if (from === undefined) {
        const key = taskKey(task);
        unmounted.set(key, [...(unmounted.get(key) ?? []), nodeId]);
      } else if (!isOverBefore(plan, { from, vertex })) {
        plan.edge(exitTowards(plan, { nodeId, dependent: task.nodeId }), vertex);
      }
    }
  }
  return unmounted;
}

/** Where a dependency is done for this dependent. Seen from outside a loop that is the end of the loop. */
function exitTowards(plan: PlacedTasks, link: { nodeId: string; dependent: string }): number {
  const around = plan.loopsOfNode.get(link.dependent) ?? [];
  const left = plan.loopsOfNode.get(link.nodeId)?.find((loop, depth) => loop !== around[depth]);
  if (left === undefined) return plan.vertexOfNode.get(link.nodeId) as number;
  return (plan.loops[left] as LoopVertex).end;
}

const PART_ORDER = { body: 0, recover: 1, finally: 2 } as const;

/**
 * The dependent stands in a later part of a scope than the dependency, which is
 * over by then however it ended: the task that a catch is about has failed.
 */
function isOverBefore(plan: PlacedTasks, link: { from: number; vertex: number }): boolean {
  const earlier = partsAround(plan, link.from);
  if (earlier.size === 0) return false;
  for (const [scope, part] of partsAround(plan, link.vertex)) {
    const before = earlier.get(scope);
    if (before !== undefined && PART_ORDER[before] < PART_ORDER[part]) return true;
  }
  return false;
}

/** The scopes around a vertex, with the part of each that it stands in. */
function partsAround(plan: PlacedTasks, vertex: number): Map<number, ScopePart["part"]> {
  const parts = new Map<number, ScopePart["part"]>();
  let at = (plan.vertices[vertex] as Vertex).region;
  for (let place = plan.regions[at]; place !== undefined; place = plan.regions[at]) {
    if (place.part === "after-approval") {
      at = place.around;
      continue;
    }
    parts.set(place.scope, place.part);
    at = (plan.scopes[place.scope] as FailureScope).region;
  }
  return parts;
}
