import type { SerializedError } from "../../errors/ensure-error.js";
import type { TaskKey } from "../../model/address.js";
import type { RunSession } from "../session/session.js";
import { nodeFor } from "./node-for.js";

/** Why a node has failed for good, null for one that has not. `key` is the task that asks. */
export function readFailure(
  { state }: RunSession,
  { key, nodeId }: { key: TaskKey; nodeId: string },
): SerializedError | null {
  const node = nodeFor(state, nodeId, state.nodes.get(key)?.row);
  return node?.state === "failed" ? node.error : null;
}
