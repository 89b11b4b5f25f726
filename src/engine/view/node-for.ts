import { controlId, roundsIn } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import type { RunSession } from "../session/session.js";

/** An id as it is written means the node in the innermost of the loops around whoever asks. */
export function nodeFor(state: RunSession["state"], nodeId: string, asking: string): NodeRow | undefined {
  const rounds = roundsIn(asking);
  for (let depth = rounds.length; depth >= 0; depth -= 1) {
    const newest = state.latest.get(controlId(nodeId, rounds.slice(0, depth)));
    if (newest !== undefined) return state.nodes.get(newest)?.row;
  }
  return undefined;
}
