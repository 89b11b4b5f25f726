import type { Graph, Vertex } from "./graph-types.js";

/** Ids of the tasks that can never start because they wait for each other, or come after such; document order. */
export function tasksInCircles({ vertices }: Pick<Graph, "vertices">, nodeIds: readonly string[]): string[] {
  const before = new Array<number>(vertices.length).fill(0);
  for (const { successors } of vertices) for (const at of successors) before[at] = (before[at] ?? 0) + 1;
  const open = vertices.flatMap((_, index) => (before[index] === 0 ? [index] : []));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of (vertices[at] as Vertex).successors) {
      const rest = (before[next] ?? 0) - 1;
      before[next] = rest;
      if (rest === 0) open.push(next);
    }
  }
  // Tasks have their vertices in document order.
  const tasks = vertices.flatMap((vertex, index) => (vertex.kind === "task" ? [index] : []));
  return tasks.flatMap((index, ordinal) =>
    (before[index] as number) > 0 ? (nodeIds[ordinal] as string) : [],
  );
}
