import type { NodeState } from "./node.js";

type NodeCounts = Partial<Record<NodeState, number>>;

/** `3/7`: finished tasks of all, and then what is neither: `3/7, 2 skipped, 1 failed`. */
export function nodeCountText(counts: NodeCounts): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { finished = 0, skipped = 0, failed = 0 } = counts;
  const besides = [skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} failed`];
  return [`${finished}/${total}`, ...besides.filter((fact) => fact !== false)].join(", ");
}
