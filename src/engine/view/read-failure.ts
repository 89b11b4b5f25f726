import type { SerializedError } from "../../errors/ensure-error.js";
import type { LoopRound } from "../../model/address.js";
import type { RunSession } from "../session/session.js";
import { nodeFor } from "./node-for.js";

/** Why a node has failed for good, null for one that has not. `rounds` are the loops around the asking task. */
export function readFailure(
  { state }: RunSession,
  { nodeId, rounds }: { nodeId: string; rounds: readonly LoopRound[] },
): SerializedError | null {
  const node = nodeFor(state, nodeId, rounds);
  return node?.state === "failed" ? node.error : null;
}
