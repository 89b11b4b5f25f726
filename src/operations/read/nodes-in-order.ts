import { writtenId } from "../../model/address.js";
import { applyDelta } from "../../graph/frame-delta.js";
import type { NodeRow } from "../../model/node.js";
import type { Store } from "../../store/contract.js";
import { requireRun } from "../request/require-run.js";

/**
 * Nodes of a run in the order of its last frame, each with its iterations; those
 * that have left the tree come last.
 * @throws RUN_NOT_FOUND
 */
export async function listNodesInOrder(store: Store, runId: string): Promise<NodeRow[]> {
  const { frameNo } = await requireRun(store, runId);
  const chain = await store.snapshotChain(runId, frameNo);
  const tasks = chain === undefined ? [] : applyDelta(chain).tasks;
  const positions = new Map<string, number>();
  for (const { nodeId } of tasks) {
    const id = writtenId(nodeId);
    if (!positions.has(id)) positions.set(id, positions.size);
  }
  const positionOf = ({ nodeId }: NodeRow) => positions.get(writtenId(nodeId)) ?? positions.size;
  // The store has sorted them by id and iteration, and sorting keeps the order of equals.
  return (await store.listNodes(runId)).sort((a, b) => positionOf(a) - positionOf(b));
}
