import { type TaskKey, taskKey } from "../../model/address.js";
import { isDoneNode, type NodeRow } from "../../model/node.js";
import type { Store } from "../../store/index.js";

/** The newest checkpoint, JSON, of every node that may run again. */
export async function storedCheckpoints(
  store: Store,
  runId: string,
  nodes: readonly NodeRow[],
): Promise<Map<TaskKey, string>> {
  const checkpoints = new Map<TaskKey, string>();
  for (const { nodeId, iteration, state, lastAttempt } of nodes) {
    if (lastAttempt === 0 || isDoneNode(state)) continue;
    // An attempt that gave none leaves the one before it disposition.
    for (const attempt of await store.listAttempts(runId, nodeId, iteration)) {
      if (attempt.heartbeatJson !== null)
        checkpoints.set(taskKey({ nodeId, iteration }), attempt.heartbeatJson);
    }
  }
  return checkpoints;
}
